// The fixed vocabulary of the house: one German word for each English one, never another.
import { readTexts } from '../../corpus/index.js';
import data from './glossary.json' with { type: 'json' };

export const { GLOSSARY } = readTexts(data);
