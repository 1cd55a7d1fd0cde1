// Why an answer has no reward, or none to speak of: the kinds that OpenAI's format tells apart.

export type FaultCode =
  | 'formula_parse_error'
  | 'invalid_variable_error'
  | 'sample_parse_error'
  | 'model_grader_server_error'
  | 'model_grader_refusal_error'
  | 'model_grader_parse_error'
  | 'other_error';

export interface Fault {
  code: FaultCode;
  message: string;
}

/** The grader, the row or the judge is at fault, not the answer. */
export class GradingError extends Error {
  readonly code: FaultCode;

  constructor(code: FaultCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** The answer lacks what the grader reads, such as JSON: its reward is 0. */
export class AnswerFault extends Error {}
