// A yes-or-no question. The answer is drawn first, so that yes and no are equally common.

export interface YesNoQuestion {
  text: string;
  ask(isYes: boolean): string;
}
