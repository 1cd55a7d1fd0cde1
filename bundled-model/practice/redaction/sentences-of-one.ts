// Sentences with one thing that must not be read: a person, an address, a number, a street, a name in an app.
import { readTexts } from '../../corpus/index.js';
import data from './sentences-of-one.json' with { type: 'json' };

export const { WHO, MAIL, RING, SPOT, NICK } = readTexts(data);
