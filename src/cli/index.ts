import { Command, CommanderError } from 'commander';

import { defaultEnvFile } from '../config/env-file.ts';
import { catchUncaught } from '../observability/uncaught.ts';
import { programVersion } from '../version.ts';
import { exitCodes, reportError, reportUnforeseen, UsageError } from './failures.ts';
import { harmless } from './output.ts';
import { type Build, describe } from './parts.ts';

export async function run(args: readonly string[]): Promise<number> {
  catchUncaught(reportUnforeseen);
  let stdoutError: unknown;
  try {
    // A reader may close early, as `| head` does.
    process.stdout.on('error', (error: NodeJS.ErrnoException) => {
      stdoutError = error;
      error.path ??= 'stdout';
      if (error.code !== 'EPIPE') process.exitCode = reportError(error);
    });
    // After stderr closed there is nowhere to report to.
    process.stderr.on('error', () => undefined);
    const words = withoutHelp(withoutEnvFile(args));
    const program = await build(words);
    await program.parseAsync([...words], { from: 'user' });
    return Number(process.exitCode ?? exitCodes.done);
  } catch (error) {
    if (error === stdoutError) return Number(process.exitCode ?? exitCodes.done);
    if (!(error instanceof CommanderError)) return reportError(error);
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  }
}

/** Removes `--env-file FILE` from anywhere in the arguments and sets ROSTER_ENV_FILE instead. */
function withoutEnvFile(args: readonly string[]): readonly string[] {
  const place = args.findIndex((arg) => arg === '--env-file' || arg.startsWith('--env-file='));
  const end = args.indexOf('--');
  if (place < 0 || (end >= 0 && end < place)) return args;
  const [, inline] = /^--env-file=(.*)$/s.exec(args[place] ?? '') ?? [];
  const file = inline ?? args[place + 1] ?? '';
  if (file === '')
    throw new UsageError('--env-file needs the path of a file; for example --env-file /etc/roster/roster.env');
  const rest = args.toSpliced(place, inline === undefined ? 2 : 1);
  if (withoutEnvFile(rest) !== rest) throw new UsageError('--env-file is given twice; name one file.');
  process.env['ROSTER_ENV_FILE'] = file;
  return rest;
}

/** Turns `help keys create` into `keys create --help`: commander's own help knows no subcommands. */
function withoutHelp(args: readonly string[]): readonly string[] {
  const [first, second, ...more] = args;
  if (first !== 'help' || second === undefined) return args;
  return Object.hasOwn(commands, second) ? [second, ...more, '--help'] : [second];
}

type Load = () => Promise<Build>;

/** Loads only the command that is asked for: `--version` must not wait for a server. */
const commands: Record<string, Load> = {
  demo: async () => (await import('./demo/demo.ts')).demoCommand,
  serve: async () => (await import('./serve.ts')).serveCommand,
  projects: async () => (await import('./projects.ts')).projectsCommand,
  chatbots: async () => (await import('./chatbots.ts')).chatbotsCommand,
  keys: async () => (await import('./keys/keys.ts')).keysCommand,
  members: async () => (await import('./members/members.ts')).membersCommand,
  contacts: async () => (await import('./contacts/contacts.ts')).contactsCommand,
  events: async () => (await import('./events.ts')).eventsCommand,
  webhooks: async () => (await import('./webhooks.ts')).webhooksCommand,
  console: async () => (await import('./console.ts')).consoleCommand,
  import: async () => (await import('./chatling/import-chatling.ts')).importCommand,
  compare: async () => (await import('./chatling/compare-chatling.ts')).compareCommand,
  mcp: async () => (await import('./mcp.ts')).mcpCommand,
  settings: async () => (await import('./settings.ts')).settingsCommand,
  migrate: async () => (await import('./upkeep/migrate.ts')).migrateCommand,
  copy: async () => (await import('./upkeep/copy.ts')).copyCommand,
  backup: async () => (await import('./upkeep/backup.ts')).backupCommand,
  restore: async () => (await import('./upkeep/restore.ts')).restoreCommand,
  doctor: async () => (await import('./doctor/doctor.ts')).doctorCommand,
  completion: async () => (await import('./completion/completion.ts')).completionCommand,
};

async function build(args: readonly string[]): Promise<Command> {
  const examples = [
    'roster demo',
    'roster projects create "Example Ltd" --id acme --owner ada@example.com',
    'roster keys create --project acme --name "CRM sync"',
    'roster serve',
    'roster console link --member ada@example.com',
  ];
  const program = describe(new Command('roster'), 'The people service for chatbot projects.', { examples })
    .version(programVersion, '--version', 'print the version')
    .option('--env-file <file>', 'settings file, for any command and anywhere in the line')
    .enablePositionalOptions()
    .exitOverride()
    .showSuggestionAfterError()
    .configureHelp({ showGlobalOptions: false, helpWidth: 80 })
    .configureOutput({
      outputError: (text, write) => write(harmless(withoutExcess(text.replace(/^error: /, 'roster: ')))),
    })
    .addHelpText(
      'after',
      `\nSettings come from the environment, else from the file of --env-file or of
ROSTER_ENV_FILE, or ${defaultEnvFile}. "roster settings" shows them all.`,
    );
  const loads = needed(args);
  for (const load of loads) (await load())(program);
  if (loads.length > 0) (await import('./help.ts')).completeCommands(program);
  return program;
}

/** Text typed in the wrong place may be about a person. */
function withoutExcess(text: string): string {
  return text.replace(/( but got \d+): .*\.$/ms, '$1.');
}

/** One command, all of them for the help and for completion, or none for the version. */
function needed(args: readonly string[]): Load[] {
  if (args[0] === '--version') return [];
  const named = args.find((arg) => !arg.startsWith('-')) ?? '';
  const load = Object.hasOwn(commands, named) && named !== 'completion' ? commands[named] : undefined;
  return load ? [load] : Object.values(commands);
}
