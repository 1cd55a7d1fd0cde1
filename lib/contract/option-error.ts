// What is wrong with an option that a program passes, such as to `createTrainer`.

/** How it is recognized when it was thrown by another copy of this package: a project has its own. */
export const OPTION_INVALID = 'svc_option_invalid';

/** Its message says all there is to fix, so the command line and Studio show it with its place, and without a stack. */
export class OptionError extends TypeError {
  readonly code = OPTION_INVALID;
}
