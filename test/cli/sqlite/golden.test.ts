import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { commandUser } from '../../support/operator.ts';
import { anInstallation, type Installation } from '../../support/process.ts';

/** One made-up project, from its creation to its deletion; `ID1` is the first id that was printed. */
const lines = [
  'projects create "Example Ltd" --id acme --owner ada@example.com --json',
  'projects create "Example Ltd" --id acme',
  'projects create Second --id second',
  'projects create',
  'projects list',
  'projects list --json',
  'projects show acme',
  'projects show acme --json',
  'projects show nowhere',
  'projects update acme',
  'projects update acme --seats many',
  'projects update acme --seats 25 --chatbots unlimited --name "Sample Ltd"',
  'projects update acme --owner ada',
  'chatbots create --project acme --name "Front desk" --id 8839210412',
  'chatbots create --project acme --name "Back office" --id desk --json',
  'chatbots create --project acme',
  'chatbots create',
  'chatbots create --project nowhere --name Desk',
  'chatbots create --project acme --name "" --id x1',
  'chatbots list --project acme',
  'chatbots list --project acme --json',
  'chatbots list --project nowhere',
  'chatbots show 8839210412',
  'chatbots show 8839210412 --json',
  'chatbots show nowhere',
  'chatbots update 8839210412',
  'chatbots update 8839210412 --visibility loud',
  'chatbots update 8839210412 --visibility public --json',
  'chatbots update 8839210412 --name " Desk "',
  'chatbots update 8839210412 --name ""',
  'keys create --project acme --name CRM --json',
  'keys create --project acme --name bot --scope contacts:read --scope events:read --expires 90d',
  'keys create --project acme --name x --scope nothing',
  'keys create --project acme --name x --expires 0',
  'keys create --project acme --name x --expires soon',
  'keys create --project acme --name x --token-file token.txt',
  'keys create --project acme --name x --token-file none.txt',
  'keys create --project nowhere --name x',
  'keys list',
  'keys list --project acme',
  'keys list --project acme --json',
  'keys list --project nowhere',
  'keys rotate ID1',
  'keys rotate ID2 --overlap 2h --json',
  'keys rotate ID1 --overlap x',
  'keys update ID3 --scope all',
  'keys update ID3 --scope CONTACTS:read,events:read --scope members:read --json',
  'keys update ID3',
  'keys update nowhere --scope all',
  'keys revoke ID1',
  'keys revoke ID3 --json',
  'keys revoke nowhere',
  ['keys find -', 'rst_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17'],
  ['keys find -', 'legacy-token-0123456789'],
  ['keys find - --json', 'legacy-token-0123456789'],
  ['keys inspect -', 'rst_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17'],
  'keys inspect file.txt',
  'keys inspect -',
  'members list --project acme',
  'members list --project acme --json',
  'members list --project acme --status pending --role OWNER --email ada@example.com --include all --json',
  'members list --project acme --status asleep',
  'members list --project acme --role Guest',
  'members list --project acme --page 0',
  'members list --project acme --per-page 101',
  'members list --project acme --per-page 1 --include roles',
  'members list --project acme --include id',
  'members list --project nowhere',
  'members invite grace@example.com --project acme --role editor --role Billing',
  'members invite hugo@example.com --project acme --role Admin --expires-in 24h --json',
  'members invite grace --project acme --role Editor',
  'members invite ivan@example.com --project acme --role Owner',
  'members invite ivan@example.com --project acme --role Editor --expires-in 1y',
  'members invite grace@example.com --project acme --role Editor',
  'members invite ivan@example.com --project acme',
  'members list --project acme --per-page 2',
  'members reinvite MEMBER --project acme',
  'members reinvite MEMBER --project acme --expires-in 24h --json',
  'members reinvite nowhere --project acme',
  'members show MEMBER --project acme',
  'members show MEMBER --project acme --json',
  'members show nowhere --project acme',
  'members set-roles MEMBER --project acme --role Viewer --dry-run',
  'members set-roles MEMBER --project acme --role Viewer --dry-run --json',
  'members set-roles MEMBER --project acme --role Viewer',
  'members set-roles MEMBER --project acme --role Agent --keep-keys --json',
  'members set-roles MEMBER --project acme --role viewer,AGENT --json',
  'members set-roles MEMBER --project acme --role viewer,Owner',
  'members set-roles MEMBER --project acme',
  'members transfer --project acme --to grace@example.com',
  'members transfer --project acme --to nobody@example.com',
  'members transfer --project acme --to ada@example.com --json',
  'members remove MEMBER --project acme --dry-run --json',
  'members remove MEMBER --project acme --json',
  'members remove MEMBER --project acme',
  'members sign-out ada@example.com',
  'members sign-out ada@example.com --passkeys --json',
  'members sign-out nobody@example.com',
  'members sign-out ada@example.com --project second',
  'members export --project acme',
  'members export --project acme --json',
  ['members import - --format csv --project acme', 'email,role\nkim@example.com,Agent\nnobody,Agent\n'],
  ['members import - --format csv --project acme --json --dry-run', 'email,role\nkim@example.com,Viewer\n'],
  ['members import - --format csv --project acme --on-conflict fail', 'email,role\nkim@example.com,Viewer\n'],
  'contacts create --chatbot 8839210412 --set name="Ana Ferreira" --set email=ana@example.com --set tags=vip,lead',
  'contacts create --chatbot 8839210412 --set name=Bo --set attributes.party=Liberal --json',
  'contacts create --chatbot 8839210412 --set email=nobody',
  'contacts create --chatbot 8839210412 --set emial=ana@example.com',
  'contacts create --chatbot 8839210412',
  ['contacts create --chatbot 8839210412 --properties - --json', '{"name":"Cy","external_id":"crm-1"}'],
  ['contacts create --chatbot 8839210412 --properties -', '{"name":"Cy","phone":{}}'],
  ['contacts create --chatbot 8839210412 --properties -', '[]'],
  'contacts create --set name=Bo',
  'contacts list --chatbot 8839210412',
  'contacts list --chatbot 8839210412 --json',
  'contacts list --chatbot 8839210412 --limit 1 --sort date_asc --include tags',
  'contacts list --chatbot 8839210412 --limit 1 --include all --json',
  'contacts list --chatbot 8839210412 --limit 0',
  'contacts list --chatbot 8839210412 --limit 1001',
  'contacts list --chatbot 8839210412 --sort name',
  'contacts list --chatbot 8839210412 --include everything',
  'contacts list --chatbot 8839210412 --after nonsense',
  'contacts list --chatbot 8839210412 --deleted --sort date_asc',
  'contacts list --chatbot nowhere',
  'contacts list --chatbot 8839210412 --project second',
  'contacts list',
  'contacts show CONTACT --chatbot 8839210412',
  'contacts show CONTACT --chatbot 8839210412 --json',
  'contacts show CONTACT --chatbot 8839210412 --include details,tags --include attributes',
  'contacts show nowhere --chatbot 8839210412',
  'contacts show "" --chatbot 8839210412',
  'contacts find ana --chatbot 8839210412',
  'contacts find ana fer --chatbot 8839210412 --limit 1 --json',
  'contacts find --tag vip --created-after 2020-01-01 --chatbot 8839210412 --include all',
  'contacts find --created-after yesterday --chatbot 8839210412',
  'contacts find --tag "" --chatbot 8839210412',
  'contacts find "" --chatbot 8839210412',
  'contacts find nobody --chatbot 8839210412',
  'contacts find nobody --chatbot 8839210412 --json',
  'contacts find ana --chatbot 8839210412 --after x',
  'contacts lookup --email ANA@example.com --chatbot 8839210412',
  ['contacts lookup --email - --chatbot 8839210412 --json', 'ana@example.com\n'],
  'contacts lookup --external-id crm-1 --chatbot 8839210412 --include tags',
  'contacts lookup --external-id "" --chatbot 8839210412',
  'contacts lookup --phone 123 --chatbot 8839210412',
  'contacts lookup --id CONTACT --id nowhere --chatbot 8839210412 --json',
  'contacts lookup --id nowhere --chatbot 8839210412',
  'contacts lookup --id nowhere --email ana@example.com --chatbot 8839210412',
  'contacts lookup --chatbot 8839210412',
  'contacts update CONTACT --chatbot 8839210412 --set company="Example Ltd" --unset phone --add-tag new --remove-tag lead',
  'contacts update CONTACT --chatbot 8839210412 --set name=Ana --include tags --json',
  'contacts update CONTACT --chatbot 8839210412 --add-tag "a,b"',
  'contacts update CONTACT --chatbot 8839210412 --set tags=a --add-tag b',
  'contacts update CONTACT --chatbot 8839210412 --set website=nonsense',
  'contacts update nowhere --chatbot 8839210412 --set name=Ana',
  'contacts update CONTACT --chatbot 8839210412',
  'contacts delete CONTACT --chatbot 8839210412',
  'contacts delete CONTACT --chatbot 8839210412',
  'contacts list --chatbot 8839210412 --deleted',
  'contacts list --chatbot 8839210412 --deleted --json',
  'contacts restore CONTACT --chatbot 8839210412',
  'contacts restore CONTACT --chatbot 8839210412',
  'contacts delete CONTACT --chatbot 8839210412 --json',
  'contacts restore CONTACT --chatbot 8839210412 --include all --json',
  'contacts purge CONTACT --chatbot 8839210412',
  'contacts purge CONTACT --chatbot 8839210412 --yes --json',
  'contacts purge CONTACT --chatbot 8839210412 --yes',
  ['contacts import - --format csv --chatbot 8839210412', 'name,email\nDi,di@example.com\nEd,nonsense\n'],
  ['contacts import - --format csv --chatbot 8839210412 --json --lenient', 'name,email\nEd,nonsense\n'],
  ['contacts import - --format csv --chatbot 8839210412 --dry-run --keep-columns', 'name,Party\nFi,Liberal\n'],
  ['contacts import - --format csv --chatbot 8839210412 --map nick=name', 'name\nFi\n'],
  'contacts import none.csv --chatbot 8839210412 --encoding latin-99',
  'contacts import none.csv --chatbot 8839210412',
  'contacts export --chatbot 8839210412 --format ndjson',
  'contacts export --chatbot 8839210412 --format csv --json',
  'contacts export --chatbot 8839210412 --output people.csv --json',
  'contacts export --chatbot 8839210412 --output people.csv',
  'contacts export --chatbot 8839210412 --output people.txt',
  'events list --project acme --limit 3',
  'events list --project acme --limit 1 --json',
  'events list --project acme --type key.created --type key.rotated --chatbot 8839210412',
  'events list --project acme --type key.created',
  'events list --project acme --type KEY.rotated,project.updated',
  'events list --project acme --type key.lost',
  'events list --project acme --limit 0',
  'events list --project acme --limit 1 --follow',
  'events list --project acme --after nonsense',
  'events list --project nowhere',
  'events list',
  'console link --member ada@example.com',
  'console link --member ada@example.com --json',
  'console link --member nobody@example.com',
  'console setup-link --project acme --json',
  'console setup-link --project second',
  'console setup-link --project nowhere',
  'mcp --key-file -',
  'mcp --key-file token.txt',
  'mcp',
  'import chatling --project acme --key-file none.txt',
  'import chatling --project acme --key-file token.txt --rate 0',
  'import chatling --project acme --key-file token.txt --base-url nonsense',
  'compare chatling --project acme',
  'chatbots delete desk',
  'chatbots delete desk --yes',
  'chatbots delete 8839210412 --yes --json',
  'projects delete acme',
  'projects delete acme --yes --json',
  'projects delete second --yes',
  'keys nonsense',
  'keys',
  'contact list',
  'keys list --projct acme',
  'keys revoke',
  'keys revoke a b',
  'completion csh',
  'projects list --env-file none.env',
  'settings --env-file token.txt --env-file token.txt',
];

/** Names the ids of a run by their order, and replaces its times and secrets. */
function steady(folder: string) {
  const ids: string[] = [];
  const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;
  const nameOf = (id: string) => `ID${(ids.includes(id) ? ids.indexOf(id) : ids.push(id) - 1) + 1}`;
  return {
    idOf: (number: number) => ids[number - 1] ?? 'nowhere',
    shown: (text: string) =>
      text
        .replaceAll(uuid, nameOf)
        .replaceAll(/rst_[0-9A-Za-z]{36}/g, 'TOKEN')
        .replaceAll(/\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d\+00:00)?/g, 'TIME')
        .replaceAll(/("last4": ?"|last4: +|  \d +)[^"\s]{4}(?=["\s])/g, '$1LAST')
        .replaceAll(/(#)[\w.=-]{20,}/g, '$1SECRET')
        .replaceAll(/(--after |next_cursor": ?")[\w-]{16,}/g, '$1CURSOR')
        .replaceAll(folder, 'FOLDER')
        .replaceAll(commandUser, 'cli:USER')
        // The columns of a table are as wide as the name of the user.
        .replaceAll(/^.*$/gs, (all) => (all.includes('cli:USER') ? all.replaceAll(/ {2,}/g, '  ') : all)),
  };
}

async function transcript(at: Installation): Promise<string> {
  writeFileSync(join(at.folder, 'token.txt'), 'legacy-token-0123456789\n');
  const { idOf, shown } = steady(at.folder);
  const known = { MEMBER: '', CONTACT: '' };
  const parts: string[] = [];
  for (const line of lines) {
    const [command = '', input] = [line].flat();
    const words = (command.match(/(?:[^\s"]|"[^"]*")+/g) ?? []).map((word) =>
      word
        .replaceAll('"', '')
        .replace(/^ID(\d+)$/, (_, number: string) => idOf(Number(number)))
        .replace(/^(MEMBER|CONTACT)$/, (name) => known[name as 'MEMBER'] || name),
    );
    const { code, stdout, stderr } = await at.run(words, input === undefined ? {} : { input });
    if (command.startsWith('members invite') && code === 0) known.MEMBER = idIn(stdout);
    if (command.startsWith('contacts create') && code === 0 && known.CONTACT === '') known.CONTACT = idIn(stdout);
    const told = stderr === '' ? '' : stderr.replaceAll(/^/gm, '! ').replace(/! $/, '');
    parts.push(`$ ${command}\n${shown(stdout + told)}= ${code}\n`);
  }
  return parts.join('\n');
}

function idIn(stdout: string): string {
  return /"?id"?: *"?([\w-]{36})/.exec(stdout)?.[1] ?? '';
}

describe('the commands of a project', () => {
  it('keep their words, exit codes, columns and keys', async () => {
    await using at = await anInstallation();
    await expect(await transcript(at)).toMatchFileSnapshot('../golden/transcript.txt');
  });
});
