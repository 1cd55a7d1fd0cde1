// The scales that texts are sorted by. A scale has classes, and several ways to name them all.
import type { Draw } from '../../draw.js';
import type { Values } from '../../values/index.js';
import { fillClearly, makePassage } from '../texts/passage.js';
import type { Theme } from '../texts/theme.js';
import { THEMES } from '../texts/themes/index.js';
import * as languages from './languages.js';
import * as news from './news.js';
import * as opinions from './opinions.js';
import * as registers from './registers.js';

export interface Class {
  /** One of these is drawn, unless the scale names all of its classes together. */
  names: readonly string[];
  /** Whether a text of the other class could have this label. */
  isNear(other: Class): boolean;
  write(draw: Draw, values: Values): string;
}

export interface Scale {
  weight: number;
  /** What the label says about the text. */
  aspects: readonly string[];
  nouns: readonly string[];
  classes: readonly Class[];
  /** Sets of names that belong together, in the order of the classes. */
  namings?: readonly (readonly string[])[];
  /** Whether a text may belong to none of the labels. */
  isOpen: boolean;
}

function classOf(names: readonly string[], templates: readonly string[]): Class {
  return {
    names,
    isNear: () => false,
    write: (draw, values) => fillClearly(draw, values, draw.wording(templates)).text,
  };
}

function closedScale(
  weight: number,
  aspects: readonly string[],
  lists: readonly (readonly string[])[],
  namings: readonly (readonly string[])[],
): Scale {
  const classes = lists.map(list => classOf([], list));
  return { weight, aspects, nouns: ['text', 'message', 'sentence'], classes, namings, isOpen: false };
}

function openScale(
  weight: number,
  aspects: readonly string[],
  classes: Record<string, readonly string[]>,
): Scale {
  return {
    weight,
    aspects,
    nouns: ['text', 'sentence', 'line'],
    classes: Object.entries(classes).map(([names, list]) => classOf(names.split('/'), list)),
    isOpen: true,
  };
}

function themeScale(
  weight: number,
  aspects: readonly string[],
  namesOf: (theme: Theme) => readonly string[],
): Scale {
  const byTheme = new Map<Class, Theme>();
  const classes = THEMES.map(theme => {
    const made: Class = {
      names: namesOf(theme),
      isNear: other => areNear(theme, byTheme.get(other)!),
      write: (draw, values) => makePassage(draw, values, { theme, details: draw.pick([0, 0, 1]) }).text,
    };
    byTheme.set(made, theme);
    return made;
  });
  return { weight, aspects, nouns: ['message', 'text', 'mail', 'note'], classes, isOpen: true };
}

const areNear = (one: Theme, other: Theme) => one.near.includes(other.name) || other.near.includes(one.name);

export const SCALES: readonly Scale[] = [
  themeScale(5, ['topic', 'subject', 'theme', 'matter'], theme => theme.labels),
  themeScale(3, ['department', 'team', 'desk'], theme => theme.departments),
  themeScale(2, ['intent', 'purpose', 'aim', 'goal'], theme => theme.intents),
  closedScale(
    2,
    ['sentiment', 'mood', 'feeling', 'opinion', 'tone'],
    [opinions.POSITIVE, opinions.NEGATIVE],
    [
      ['positive', 'negative'],
      ['good', 'bad'],
      ['happy', 'unhappy'],
      ['pos', 'neg'],
      ['pleased', 'not pleased'],
      ['praise', 'complaint'],
      ['+', '-'],
      ['thumbs up', 'thumbs down'],
      ['satisfied', 'dissatisfied'],
    ],
  ),
  closedScale(
    2,
    ['sentiment', 'mood', 'feeling', 'tone', 'attitude'],
    [opinions.POSITIVE, opinions.NEGATIVE, opinions.NEUTRAL],
    [
      ['positive', 'negative', 'neutral'],
      ['good', 'bad', 'neither'],
      ['happy', 'angry', 'calm'],
      ['pos', 'neg', 'neu'],
      ['praise', 'complaint', 'fact'],
      ['glad', 'upset', 'even'],
      ['likes it', 'dislikes it', 'no opinion'],
    ],
  ),
  closedScale(
    2,
    ['urgency', 'priority', 'level'],
    [opinions.URGENT, opinions.CALM],
    [
      ['urgent', 'not urgent'],
      ['high', 'low'],
      ['now', 'later'],
      ['rush', 'can wait'],
      ['P1', 'P3'],
      ['hot', 'cold'],
      ['at once', 'some day'],
      ['high priority', 'low priority'],
    ],
  ),
  closedScale(
    1.5,
    ['kind', 'type', 'folder'],
    [opinions.SPAM, opinions.WANTED],
    [
      ['spam', 'not spam'],
      ['junk', 'inbox'],
      ['spam', 'ham'],
      ['bad mail', 'good mail'],
      ['block', 'keep'],
      ['fraud', 'real'],
      ['unwanted', 'wanted'],
    ],
  ),
  closedScale(
    1,
    ['style', 'formality', 'tone', 'register'],
    [registers.FORMAL, registers.INFORMAL],
    [
      ['formal', 'informal'],
      ['formal', 'casual'],
      ['polite', 'loose'],
      ['official', 'private'],
      ['business', 'friends'],
      ['stiff', 'relaxed'],
    ],
  ),
  closedScale(
    1,
    ['tense', 'time', 'verb tense'],
    [registers.PAST, registers.PRESENT, registers.FUTURE],
    [
      ['past', 'present', 'future'],
      ['before', 'now', 'later'],
      ['yesterday', 'today', 'tomorrow'],
      ['past tense', 'present tense', 'future tense'],
      ['was', 'is', 'will be'],
    ],
  ),
  openScale(1.5, ['kind', 'type', 'purpose', 'function'], {
    'question/asking/query': registers.ASKING,
    'command/order/instruction/request': registers.TELLING,
    'thanks/thank-you/gratitude': registers.THANKING,
    'apology/sorry/excuse': registers.APOLOGIZING,
  }),
  openScale(1.5, ['language', 'tongue'], {
    'English/en/EN/eng': languages.ENGLISH,
    'German/de/DE/deu': languages.GERMAN,
    'French/fr/FR/fra': languages.FRENCH,
    'Spanish/es/ES/spa': languages.SPANISH,
    'Italian/it/IT/ita': languages.ITALIAN,
    'Dutch/nl/NL/nld': languages.DUTCH,
    'Portuguese/pt/PT/por': languages.PORTUGUESE,
  }),
  openScale(2, ['topic', 'section', 'page', 'desk', 'column'], {
    'sport/sports/games': news.SPORT,
    'weather/forecast/sky': news.WEATHER,
    'business/economy/firms/markets': news.BUSINESS,
    'politics/government/state': news.POLITICS,
    'health/medicine/doctors': news.HEALTH,
    'culture/arts/art and culture': news.CULTURE,
    'science/research/studies': news.SCIENCE,
    'crime/police/police report': news.CRIME,
  }),
];
