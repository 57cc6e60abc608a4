import { nearest } from './values/nearest.ts';

const bare = (name: string) => name.replace(/^ROSTER_/, '');

/** A sentence for each `ROSTER_…` variable that is none of `names`. */
export function unknownSettings(environment: Readonly<Record<string, string | undefined>>, names: readonly string[]) {
  const unknown = Object.entries(environment).filter(([name]) => name.startsWith('ROSTER_') && !names.includes(name));
  return unknown.flatMap(([name, text = '']) => {
    if (name === 'ROSTER_WORKERS') return ['', '1'].includes(text.trim()) ? [] : [workersAreGone];
    const near = nearest(bare(name), names.map(bare));
    const meant = names.find((one) => bare(one) === near);
    if (meant !== undefined) return [`${name} is not a setting (did you mean ${meant}?)`];
    const own = names.filter((one) => one.startsWith('ROSTER_') && !one.endsWith('_FILE'));
    return [`${name} is not a setting; those that begin with ROSTER_ are ${own.join(', ')}`];
  });
}

const workersAreGone =
  'ROSTER_WORKERS is gone; instead run one "roster serve" for each core, each with a PORT and a ROSTER_METRICS_PORT of its own, behind a proxy (deploy/haproxy.cfg, deploy/nginx.conf), and give them one ROSTER_REDIS_URL to share the rate limit';
