// What is said while the cloud is away: once, and once more when it turns out that somebody stopped it.
export interface Absence {
  onInterrupted(error: Error): void;
  onCloudStopped(): void;
  /** The cloud is there. Whether it was away. */
  end(): boolean;
}

export function createAbsence(note: (line: string) => void): Absence {
  let reason: 'lost' | 'stopped' | null = null;
  return {
    onInterrupted({ message }) {
      if (reason === null) note(`The cloud went away: ${message} Trying again.`);
      reason ??= 'lost';
    },
    onCloudStopped() {
      if (reason !== 'stopped')
        note('The cloud was stopped. "svc cloud start" starts it again, and the job goes on.');
      reason = 'stopped';
    },
    end() {
      const wasAway = reason !== null;
      reason = null;
      return wasAway;
    },
  };
}
