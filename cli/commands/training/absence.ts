// Reports that the cloud is unreachable: once, and once more if it turns out that someone stopped it.
interface Absence {
  onInterrupted(error: Error): void;
  onCloudStopped(): void;
  /** The cloud has responded. Returns whether it was away. */
  end(): boolean;
}

export function createAbsence(note: (line: string) => void): Absence {
  let reason: 'lost' | 'stopped' | null = null;
  return {
    onInterrupted({ message }) {
      if (reason === null) note(`Lost the connection to the cloud: ${message} Retrying.`);
      reason ??= 'lost';
    },
    onCloudStopped() {
      if (reason !== 'stopped') note('The cloud was stopped. To continue the job, run "svc cloud start".');
      reason = 'stopped';
    },
    end() {
      const wasAway = reason !== null;
      reason = null;
      return wasAway;
    },
  };
}
