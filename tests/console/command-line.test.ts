import { describe, expect, it } from 'vitest';
import { commandProblem, splitCommandLine } from '../../lib/console/index.js';

describe('a command line', () => {
  it('becomes arguments, with quotes as a shell has them', () => {
    expect(splitCommandLine('jobs list --json')).toEqual({ args: ['jobs', 'list', '--json'] });
    expect(splitCommandLine(`svc keys issue demo --label "two words" '' a\\ b "it\\"s" 'a\\b'`)).toEqual({
      args: ['keys', 'issue', 'demo', '--label', 'two words', '', 'a b', 'it"s', 'a\\b'],
    });
    expect(splitCommandLine(`--label=un"qu"o'ted'`)).toEqual({ args: ['--label=unquoted'] });
    expect(splitCommandLine('   ')).toEqual({ args: [] });
  });

  it('never does what only a shell does', () => {
    expect(splitCommandLine('jobs $HOME `id` $(id) *.ts | cat > x && y ; z')).toEqual({
      args: ['jobs', '$HOME', '`id`', '$(id)', '*.ts', '|', 'cat', '>', 'x', '&&', 'y', ';', 'z'],
    });
  });

  it('says when a quote is open', () => {
    expect(splitCommandLine(`jobs "x`)).toEqual({ problem: 'Missing closing ".' });
  });

  it('runs nothing that wants a terminal for itself', () => {
    expect(commandProblem(['dev'])).toContain('svc dev');
    expect(commandProblem(['watch', 'x'])).toContain('svc watch');
    expect(commandProblem(['jobs', 'list'])).toBeNull();
  });
});
