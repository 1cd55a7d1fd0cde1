// What can be asked for a yes or a no. Whether it is yes is settled first, so that neither comes more often.

export interface Polar {
  text: string;
  ask(isYes: boolean): string;
}
