// All themes of the texts.
import type { Theme } from '../theme.js';
import { appointment, event, meeting } from './calendar.js';
import { travel, trip } from './journeys.js';
import { billing, invoice } from './money.js';
import { job, neighbour, staff } from './people.js';
import { review } from './review.js';
import { account, cancel, question, trouble } from './service.js';
import { delivery, order, refund } from './shopping.js';

export const THEMES: readonly Theme[] = [
  order,
  delivery,
  refund,
  billing,
  invoice,
  account,
  trouble,
  question,
  cancel,
  appointment,
  meeting,
  event,
  travel,
  trip,
  staff,
  neighbour,
  job,
  review,
];
