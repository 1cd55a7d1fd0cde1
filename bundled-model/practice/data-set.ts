// What an example data set is: a maker of rows, and how an answer is judged when its format does not count.
import type { Draw, Values } from '../corpus/index.js';

export interface DataSet {
  make(draw: Draw, values: Values): Exercise;
  /** From 0 to 1: how much of the content of an answer is right. */
  scoreContent(asked: string, expected: string, answered: string): number;
}

export interface Exercise {
  asked: string;
  answer: string;
  /** The sentence templates that the question was made from. */
  templates: readonly string[];
  /** The entity values in it: names, numbers, addresses. */
  values: readonly string[];
}
