// The README's blocks that are marked to be tried: `<!-- run -->` before a block of shell, `<!-- compile -->` before one
// of TypeScript, `<!-- run until TEXT -->` before a command that goes on until it is ended.
import { readFileSync } from 'node:fs';

export interface Block {
  mark: string;
  code: string;
}

const MARKED = /^( *)<!-- (run|compile|run until .+?) -->\n\1```\w+\n([\s\S]*?)^\1```$/gm;

export function readMarkedBlocks(): Block[] {
  const text = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  return [...text.matchAll(MARKED)].map(([, indent = '', mark = '', code = '']) => ({
    mark,
    code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }));
}
