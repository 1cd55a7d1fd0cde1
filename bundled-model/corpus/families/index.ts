// All families of the corpus.
import type { Family } from '../family.js';
import { aboutItself } from './about-itself.js';
import { arithmetic } from './arithmetic.js';
import { classification } from './classification.js';
import { copying } from './copying.js';
import { counting } from './counting.js';
import { extraction } from './extraction.js';
import { facts } from './facts.js';
import { glossary } from './glossary.js';
import { reading } from './reading.js';
import { redaction } from './redaction.js';
import { rewriting } from './rewriting.js';
import { schema } from './schema.js';
import { smallTalk } from './small-talk.js';
import { sorting } from './sorting.js';
import { summary } from './summary.js';
import { support } from './support.js';
import { translation } from './translation.js';
import { writing } from './writing.js';
import { yesNo } from './yes-no.js';

export const families: readonly Family[] = [
  smallTalk,
  aboutItself,
  support,
  facts,
  writing,
  classification,
  extraction,
  redaction,
  schema,
  reading,
  yesNo,
  rewriting,
  summary,
  translation,
  glossary,
  copying,
  arithmetic,
  counting,
  sorting,
];
