// An example data set: it makes rows, and scores the content of an answer regardless of its format.
import type { Draw, Values } from '../corpus/index.js';

export interface DataSet {
  make(draw: Draw, values: Values): Exercise;
  /** How much of the content of an answer is right, from 0 to 1. */
  scoreContent(asked: string, expected: string, answered: string): number;
}

export interface Exercise {
  asked: string;
  answer: string;
  /** The sentence templates that the question was made from. */
  templates: readonly string[];
  /** The entity values in the question: names, numbers, addresses. */
  values: readonly string[];
}
