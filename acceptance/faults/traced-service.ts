import { readFileSync } from 'node:fs';

import { addressOf, type Ended, nodeArguments, spawnProgram } from '../../test/support/program.ts';
import type { Installation } from '../installation.ts';

export interface TracedService {
  address: string;
  port: number;
  /** A SIGTERM to the service itself: one to strace would leave it running. */
  stop: () => Promise<Ended>;
}

/** A service under strace, which makes system calls on the log of the database fail as `inject` says. */
export async function serveTraced(at: Installation, calls: string, inject: string): Promise<TracedService> {
  const running = spawnProgram(
    'strace',
    ['-f', '--seccomp-bpf', '-qq', '-o', '/dev/null', '-P', `${at.file}-wal`].concat(
      ['-e', `trace=${calls}`, '-e', `inject=${calls}:${inject}`],
      [process.execPath, ...nodeArguments(), 'serve'],
    ),
    { cwd: at.folder, env: { DATABASE_URL: at.databaseUrl, TMPDIR: at.folder, ROSTER_RATE_LIMIT: '0' } },
  );
  const address = await addressOf(running);
  return {
    address,
    port: Number(new URL(address).port),
    stop: () => {
      const pid = running.child.pid ?? 0;
      const traced = Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());
      process.kill(traced, 'SIGTERM');
      return running.ended;
    },
  };
}
