import type { Command } from 'commander';

import { type Build, command, group } from '../parts.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { type Offer, offersOf } from './offers.ts';
import { zshScript } from './zsh.ts';

type Script = (offers: readonly Offer[]) => string;

const shell = (program: Command, name: string, script: Script, examples: readonly string[]) =>
  command(name, {
    says: `print the completion script for ${name}`,
    examples,
    settings: [],
    json: false,
    act: () => void process.stdout.write(script(offersOf(program))),
  });

/** The scripts hold all commands, so the Tab key starts no program. */
export const completionCommand: Build = (program) =>
  group(
    'completion',
    'print the completion script for your shell',
    ['source <(roster completion bash)', 'roster completion fish > ~/.config/fish/completions/roster.fish'],
    [
      shell(program, 'bash', bashScript, [
        'source <(roster completion bash)',
        'roster completion bash > ~/.local/share/bash-completion/completions/roster',
      ]),
      shell(program, 'zsh', zshScript, [
        'source <(roster completion zsh)',
        'roster completion zsh > /usr/local/share/zsh/site-functions/_roster',
      ]),
      shell(program, 'fish', fishScript, [
        'roster completion fish | source',
        'roster completion fish > ~/.config/fish/completions/roster.fish',
      ]),
    ],
  )(program);
