import { setTimeout } from 'node:timers/promises';

import type { Engine, Guarantee, Outcome, Profile } from './guarantee.ts';
import { install, type Installation, populate, type PostgresOfRun, type Target } from './installation.ts';

/** No trial takes half of it; one that hangs is told by its name, and the others follow. */
const minutesAtMost: Readonly<Record<Profile, number>> = { smoke: 5, core: 10, full: 60 };

export interface Settings {
  profile: Profile;
  seed: number;
  postgres: PostgresOfRun;
  /** Somebody's own instance, which is asked instead of one of the trial's. */
  given: Target | undefined;
  tell: (line: string) => void;
}

export interface Result extends Outcome {
  notShown: readonly string[];
  name: string;
  engine: Engine | 'as given';
  seconds: number;
}

/** Tries one guarantee on one engine and leaves nothing of it; undefined where the profile leaves it out. */
export async function tryGuarantee(
  { name, sizes, sizesOnPostgres, prove }: Guarantee,
  engine: Engine,
  { profile, seed, postgres, given, tell }: Settings,
): Promise<Result | undefined> {
  const size = ((engine === 'PostgreSQL' && sizesOnPostgres) || sizes)[profile];
  if (size === 0) return undefined;
  const startedAt = performance.now();
  await using undo = new AsyncDisposableStack();
  const installed = async (): Promise<Installation> => {
    const at = undo.use(await install(engine, postgres));
    await at.json(['migrate']);
    return at;
  };
  const proved = prove({
    engine,
    size,
    seed,
    install: installed,
    target: async (env) => given ?? (await ownTarget(await installed(), env)),
    tell: (line) => tell(`       ${name} (${engine}): ${line}`),
  });
  const outcome = await Promise.race([proved, hangs(minutesAtMost[profile])]).catch((error: unknown): Outcome => ({
    tried: 0,
    measured: '',
    failures: [thrown(error)],
  }));
  const { notShown = [], ...rest } = outcome;
  const isAllToBeShown = profile === 'full';
  const judged = {
    ...rest,
    failures: [...outcome.failures, ...(isAllToBeShown ? notShown : [])],
    notShown: isAllToBeShown ? [] : notShown,
  };
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  return { name, engine: given ? 'as given' : engine, seconds, ...judged };
}

async function ownTarget(installation: Installation, env?: Record<string, string>): Promise<Target> {
  const people = await populate(installation);
  const served = await installation.serve(env);
  const { host, hostname } = new URL(served.address);
  return { ...people, address: served.address, host, hostname, port: served.port, served, installation };
}

async function hangs(minutes: number): Promise<Outcome> {
  await setTimeout(minutes * 60_000, undefined, { ref: false });
  return { tried: 0, measured: '', failures: [`hung, or took more than ${minutes} minutes`] };
}

function thrown(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
