// What people call a job and how they sort it: its trainer, tags and note, and the sweep that it belongs to.
import * as z from 'zod/mini';
import { boundList, orEmpty, orNull, printable, uuid } from '../text.js';

const MOST_TAGS = 20;
const LONGEST_NOTE = 2000;

const tag = printable(50);
const tags = boundList(z.array(tag).check(z.maxLength(MOST_TAGS)), MOST_TAGS);

/** Lines are allowed, other control characters are not. */
const note = z.string().check(z.trim(), z.maxLength(LONGEST_NOTE), z.regex(/^(?:[^\p{Cc}]|[\n\t])*$/u));

const settingValue = z.union([z.number(), z.boolean(), z.string().check(z.maxLength(500))]);

const groupSetting = z.strictObject({
  /** The trainer's option, such as `lora.r`. */
  name: printable(100),
  value: settingValue,
});

const MOST_VARIED = 20;

/** One run of several that differ in these settings. */
export const jobGroup = z.strictObject({
  id: uuid,
  settings: boundList(z.array(groupSetting).check(z.maxLength(MOST_VARIED)), MOST_VARIED),
});

export type JobGroup = z.output<typeof jobGroup>;

/** Of a new job. */
export const jobLabelFields = {
  /** The trainer that an endpoint may follow; the name if omitted. */
  trainer: z.optional(printable(100)),
  tags: z.optional(tags),
  note: z.optional(note),
};

/** Only what is given is changed. `tags` replaces all of them. An empty note removes it. */
export const jobPatch = z.strictObject({
  name: z.optional(printable(100)),
  tags: z.optional(tags),
  note: z.optional(note),
});

export type JobPatch = z.input<typeof jobPatch>;

/** Of a job, as answered. Other clouds may leave them out. */
export const jobLabels = {
  trainer: orEmpty,
  tags: z._default(z.array(z.string()), []),
  note: orNull(z.string()),
  group: orNull(
    z.object({ id: z.string(), settings: z.array(z.object({ name: z.string(), value: settingValue })) }),
  ),
};
