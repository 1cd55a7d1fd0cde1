// Stages run side by side as far as their needs and the cores allow.
import { describe, expect, it } from 'vitest';
import { runStages, type Stage } from './schedule.js';

/** What began and ended, in order: `+name`, `-name`. All that can begin does before something ends. */
async function play(stages: Stage[], { cores = 2, failing = [] as string[] } = {}) {
  const seen: string[] = [];
  const outcomes = await runStages(stages, {
    cores,
    async run({ name }) {
      seen.push(`+${name}`);
      await new Promise(resolve => setImmediate(resolve));
      seen.push(`-${name}`);
      return !failing.includes(name);
    },
  });
  return { seen: seen.join(' '), outcomes: Object.fromEntries([...outcomes].map(([s, o]) => [s.name, o])) };
}

describe('stages', () => {
  it('run side by side while cores are free, in the order of the list', async () => {
    const stages = ['a', 'b', 'c'].map(name => ({ name, cores: 1 }));
    expect((await play(stages)).seen).toMatch(/^\+a \+b -a .*\+c/);
    expect((await play(stages, { cores: 1 })).seen).toBe('+a -a +b -b +c -c');
  });

  it('have the machine to themselves if they want more cores than it has', async () => {
    const { seen } = await play([
      { name: 'all', cores: 16 },
      { name: 'one', cores: 1 },
      { name: 'waits for the network', cores: 0 },
    ]);
    expect(seen).toMatch(/^\+all \+waits for the network -all .*\+one/);
  });

  it('wait for what they need, while others go ahead', async () => {
    const { seen, outcomes } = await play(
      [
        { name: 'build', cores: 1 },
        { name: 'test', cores: 1, needs: ['build'] },
        { name: 'lint', cores: 1 },
      ],
      { cores: 2 },
    );
    expect(seen).toMatch(/^\+build \+lint -build/);
    expect(seen.indexOf('+test')).toBeGreaterThan(seen.indexOf('-build'));
    expect(Object.values(outcomes)).toEqual(['passed', 'passed', 'passed']);
  });

  it('are not run, nor what needs them, when one before them failed; all others are', async () => {
    const stages = [
      { name: 'build', cores: 1 },
      { name: 'test', cores: 1, needs: ['build'] },
      { name: 'publish', cores: 1, needs: ['test'] },
      { name: 'lint', cores: 1 },
    ];
    const { outcomes } = await play(stages, { failing: ['build'] });
    expect(outcomes).toEqual({ build: 'failed', test: 'not run', publish: 'not run', lint: 'passed' });
  });
});
