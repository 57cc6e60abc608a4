import { nearest } from '../values/nearest.ts';
import type { Environment } from './env-file.ts';

const bare = (name: string) => name.replace(/^ROSTER_/, '');

/** A sentence for each `ROSTER_…` variable that is none of `names`. */
export function unknownSettings(environment: Environment, names: readonly string[]) {
  const unknown = Object.entries(environment).filter(([name]) => name.startsWith('ROSTER_') && !names.includes(name));
  return unknown.flatMap(([name, text = '']) => {
    const { formerDefault, instead } = gone[name] ?? {};
    if (instead !== undefined) return ['', formerDefault].includes(text.trim()) ? [] : [`${name} is gone; ${instead}`];
    const near = nearest(bare(name), names.map(bare));
    const meant = names.find((one) => bare(one) === near);
    if (meant !== undefined) return [`${name} is not a setting (did you mean ${meant}?)`];
    const own = names.filter((one) => one.startsWith('ROSTER_') && !one.endsWith('_FILE'));
    return [`${name} is not a setting; those that begin with ROSTER_ are ${own.join(', ')}`];
  });
}

const gone: Readonly<Record<string, { formerDefault: string; instead: string }>> = {
  ROSTER_WORKERS: {
    formerDefault: '1',
    instead:
      'instead run one "roster serve" for each core, each with a PORT and a ROSTER_METRICS_PORT of its own, behind a proxy (deploy/haproxy.cfg, deploy/nginx.conf), and give them one ROSTER_REDIS_URL to share the rate limit',
  },
  ROSTER_ROW_SECURITY: {
    formerDefault: 'off',
    instead:
      'remove it, and name a user in DATABASE_URL who owns the tables and is no superuser (docs/scaling.md): every statement names its project',
  },
};
