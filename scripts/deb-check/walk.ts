import { deepStrictEqual, match, strictEqual } from 'node:assert';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { blocksOf, textOf } from '../../test/support/markdown.ts';
import { addressOf, stop } from '../../test/support/program.ts';
import { until } from '../support/until.ts';
import type { Machine } from './machine.ts';

const asRoster = { user: 'roster' };
const install = 'apt-get install --yes --no-install-recommends --quiet';

/** An operator's work from the first day to the last. Each step throws if its promise does not hold. */
export const steps: Readonly<Record<string, (machine: Machine) => Promise<void> | void>> = {
  'installs with what it depends on, and says where to go next': ({ run, packages }) => {
    run('apt-get update --quiet');
    const { stdout } = run(`${install} ${packages.current}`);
    match(stdout, /projects create "Example Ltd" --id acme --owner ada@example\.com/);
    match(run('roster --version').stdout, /^\d+\.\d+\.\d+/);
    deepStrictEqual(run("stat --format='%a %U %G' /etc/roster/roster.env /var/lib/roster").stdout.split('\n'), [
      '640 root roster',
      '700 roster roster',
      '',
    ]);
    run('test -L /etc/systemd/system/multi-user.target.wants/roster.service');
  },
  'keeps the settings from others, and says how to read them': ({ run }) => {
    const { status, stderr } = run('roster keys list', { user: 'nobody', mayFail: true });
    strictEqual(status, 78);
    match(stderr, /sudo -u roster/);
  },
  'leads from nothing to the first people, by the lines of its message': async (machine) => {
    await using served = await serve(machine);
    commands(machine, [
      'projects create "Example Ltd" --id acme --owner ada@example.com',
      'console link --member ada@example.com',
      'chatbots create --project acme --name "Front desk" --id 8839210412',
    ]);
    const people = 'Name,Email\nAna,ana@example.com\n';
    machine.run('roster contacts import - --chatbot 8839210412 --format csv', { ...asRoster, input: people });
    const { token } = JSON.parse(machine.run('roster keys create --project acme --name k --json', asRoster).stdout) as {
      token: string;
    };
    const answer = await fetch(`${served.address}/v2/chatbots/8839210412/contacts`, {
      headers: { authorization: `Bearer ${token}` },
    });
    match(await answer.text(), /"email":"ana@example\.com"/);
    for (const path of ['/console', '/docs', '/openapi.json', '/readyz']) {
      strictEqual((await fetch(served.address + path)).status, 200, path);
    }
  },
  'makes a backup by itself': async (machine) => {
    await using _ = await serve(machine);
    const isMade = () =>
      machine.run('ls /var/lib/roster/backups/*.sha256', { ...asRoster, mayFail: true }).status === 0;
    await until('a backup by itself', isMade);
  },
  'restores that backup': (machine) => {
    const [ana] = contactsThere(machine);
    commands(machine, [`contacts delete ${ana?.id} --chatbot 8839210412 --yes`]);
    strictEqual(contactsThere(machine).length, 0);
    commands(machine, ['restore /var/lib/roster/backups/roster-*.db --as-it-was']);
    people(machine);
  },
  'upgrades, and keeps changed settings': async (machine) => {
    machine.run("echo 'LOG_LEVEL=warn' >> /etc/roster/roster.env");
    machine.run(`${install} --option Dpkg::Options::=--force-confold ${machine.packages.next}`);
    match(machine.run('dpkg-query --show roster').stdout, /99\.0\.0/);
    match(machine.run('roster settings', asRoster).stdout, /LOG_LEVEL +warn/);
    people(machine);
  },
  'goes back to the version before': (machine) => {
    machine.run(`${install} --allow-downgrades --option Dpkg::Options::=--force-confold ${machine.packages.current}`);
    people(machine);
  },
  'keeps settings and people when it is removed': ({ run }) => {
    run('apt-get remove --yes --quiet roster');
    run('test ! -e /usr/bin/roster && test -e /etc/roster/roster.env && test -e /var/lib/roster/roster.db');
  },
  'has its people and settings again when it is reinstalled': (machine) => {
    machine.run(`${install} ${machine.packages.current}`);
    people(machine);
  },
  'keeps people when it is purged, and says so': ({ run }) => {
    match(run('apt-get purge --yes --quiet roster').stdout, /stay in \/var\/lib\/roster/);
    run('test ! -e /etc/roster && test -e /var/lib/roster/roster.db && id roster');
    run('rm -r /var/lib/roster && deluser --system roster');
  },
  'serves from the tarball, by the lines of the manual': async (machine) => {
    const block = blocksOf(textOf('deploy/README.md'), 'sh').find((one) => one.startsWith('tar ')) ?? '';
    const lines = block
      .replaceAll('roster-0.1.0-linux-x64', basename(machine.tarball, '.tar.gz'))
      .replaceAll('sudo ', '');
    machine.run(
      `cd /root && ${lines
        .trim()
        .replaceAll(/^systemctl .*$/gm, 'true')
        .replaceAll('\n', ' && ')}`,
    );
    machine.run('install -d -o roster -g roster -m 0700 /var/lib/roster');
    await using served = await serve(machine, 'etc/systemd/system');
    strictEqual((await fetch(`${served.address}/readyz`)).status, 200);
  },
};

function commands({ run }: Machine, lines: readonly string[]): void {
  for (const line of lines) run(`roster ${line}`, asRoster);
}

function people(machine: Machine): void {
  deepStrictEqual(
    contactsThere(machine).map(({ email }) => email),
    ['ana@example.com'],
  );
}

function contactsThere({ run }: Machine): { id: string; email: string }[] {
  const { stdout } = run('roster contacts list --chatbot 8839210412 --json', asRoster);
  return (JSON.parse(stdout) as { contacts: { id: string; email: string }[] }).contacts;
}

/** Runs the unit's command as the unit's user, as systemd would. */
async function serve(
  { at, start }: Machine,
  units = 'usr/lib/systemd/system',
): Promise<AsyncDisposable & { address: string }> {
  const unit = readFileSync(join(at, units, 'roster.service'), 'utf8');
  const [, line = ''] = /^ExecStart=(.*)$/m.exec(unit) ?? [];
  const running = start(line, { PORT: '0', ROSTER_METRICS_PORT: '0' });
  const address = await addressOf(running);
  return {
    address,
    [Symbol.asyncDispose]: async () => void (await stop(running)),
  };
}
