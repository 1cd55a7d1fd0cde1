// Sentences with one thing to hide: a person, an address, a number, a street, or a user name.
import { readTexts } from '../../corpus/index.js';
import data from './sentences-of-one.json' with { type: 'json' };

export const { WHO, MAIL, RING, SPOT, NICK } = readTexts(data);
