// Finds the stories in a text from their templates, to check answers independently of the code that makes them.
import { type Facts, type Kind, slotsOf } from '../../corpus/families/texts/kinds.js';
import { SENTENCES, type Story, storyOf } from '../../corpus/families/texts/stories/index.js';
import { fill } from '../../corpus/fill.js';

export interface Told {
  story: Story;
  facts: Facts;
}

/** Patterns of values that only spaces separate. */
const LOOKS: Partial<Record<Kind, string>> = {
  name: "\\p{Lu}[\\p{L}'’-]*(?: [\\p{L}'’-]+){0,2}?",
  other: "\\p{Lu}[\\p{L}'’-]*(?: [\\p{L}'’-]+){0,2}?",
  amount: '(?:[A-Z]{3} |[A-Z]{0,2}\\p{Sc})?\\d[\\d,]*(?:\\.\\d+)?(?: (?:\\p{L}+|€))??',
  company: '\\p{Lu}[^\\s:.]*(?: [^\\s:.]+){0,3}?',
  product: '[^\\n.!?]+?',
  city: '\\p{Lu}[^\\n\\d.,!?]*?',
  origin: '\\p{Lu}[^\\n\\d.,!?]*?',
  count: '\\d+',
};

function toPattern(template: string): RegExp {
  const escaped = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  const open = escaped.replace(
    /\{(\w+)\}/g,
    (_, kind: string) => `(?<${kind}>${LOOKS[kind as Kind] ?? '[^\\n]+?'})`,
  );
  return new RegExp(`(?<![\\p{L}\\d])${open}(?![\\p{L}\\d])`, 'gu');
}

const patterns = new Map(SENTENCES.map(sentence => [storyOf(sentence), toPattern(sentence)]));

/** What the text says about these stories. */
export const readStories = (text: string, stories: readonly Story[]): Told[] =>
  stories.flatMap(story =>
    Array.from(text.matchAll(patterns.get(story)!), match => ({
      story,
      facts: { ...match.groups } as Facts,
    })),
  );

/** Whether the question is this template with the story's values. */
export const isAbout = (question: string, template: string, { facts }: Told): boolean =>
  slotsOf(template).every(kind => facts[kind] !== undefined) &&
  fill(template, facts as Record<string, string>) === question;

const toLine = (template: string): RegExp =>
  new RegExp(`^${template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '.+')}$`);

/** Finds the line of a message that asks about a story, and the stories it may be about. */
export function createFinder(templatesOf: (story: Story) => readonly string[]) {
  const lines = [...patterns.keys()].flatMap(story =>
    templatesOf(story).map(template => ({ story, line: toLine(template) })),
  );
  return (message: string): { question: string; stories: Story[] } | undefined => {
    for (const question of message.split('\n').filter(line => line.endsWith('?'))) {
      const stories = lines.filter(({ line }) => line.test(question)).map(({ story }) => story);
      if (stories.length > 0) return { question, stories };
    }
    return undefined;
  };
}
