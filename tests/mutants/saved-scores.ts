// The scores that are committed: one file a room, and the table of all in scores.md.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { measuredRooms } from './rooms.js';
import { countScore, type RoomScore } from './score.js';

export function readScore(name: string): RoomScore | undefined {
  const file = fileOf(name);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as RoomScore) : undefined;
}

export function saveScore(name: string, score: RoomScore): void {
  writeFileSync(fileOf(name), `${JSON.stringify(score, null, 2)}\n`);
  writeFileSync(new URL('./scores.md', import.meta.url), `${HEAD}${rows().join('\n')}\n`);
}

function fileOf(name: string): URL {
  return new URL(`./scores/${name.replace('/', '-')}.json`, import.meta.url);
}

const HEAD = `# Mutation scores

Of each room's mutants, those that are drawn. \`npm run mutants -- ROOM --save\` writes this table and the lists in
\`scores\`; [README.md](README.md) tells what they mean.

| room | commit | mutants | killed | survived | not covered | score |
|---|---|---:|---:|---:|---:|---:|
`;

function rows(): string[] {
  return Object.keys(measuredRooms).flatMap(name => {
    const score = readScore(name);
    if (!score) return [];
    const { tried, killed, survived, notCovered, percent } = countScore(score);
    return [
      `| ${name} | ${score.commit} | ${tried} | ${killed} | ${survived} | ${notCovered} | ${percent}% |`,
    ];
  });
}
