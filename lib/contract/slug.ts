import * as z from 'zod/mini';
import { SLUG_MAX_LENGTH, SLUG_MIN_LENGTH, SLUG_PATTERN } from './slug-rule.js';

export const slug = z
  .string()
  .check(z.minLength(SLUG_MIN_LENGTH), z.maxLength(SLUG_MAX_LENGTH), z.regex(SLUG_PATTERN));
