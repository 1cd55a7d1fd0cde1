// The company's fixed vocabulary: exactly one German word for each English one.
import { readTexts } from '../../corpus/index.js';
import data from './glossary.json' with { type: 'json' };

export const { GLOSSARY } = readTexts(data);
