import { expect, it } from 'vitest';

import { anInstallation } from '../support/process.ts';

it('the limits of a project hold for imports and for what a command makes, and are shown with what is used', async () => {
  await using at = await anInstallation();
  await at.json(['projects', 'create', 'Example Ltd', '--id', 'acme']);
  const update = ['projects', 'update', 'acme', '--seats', '2', '--chatbots', '1', '--contacts', '2'];
  const limits = (seats: number, chatbots: number, contacts: number) => ({
    project_id: 'acme',
    name: 'Example Ltd',
    seats: { used: seats, max: 2 },
    chatbots: { used: chatbots, max: 1 },
    contacts: { used: contacts, max: 2 },
  });
  expect(await at.json(update)).toEqual(limits(0, 0, 0));
  await at.json(['chatbots', 'create', '--project', 'acme', '--name', 'Desk', '--id', '42']);
  const input = 'email,role\nada@example.com,Owner\nbo@example.com,Viewer\ncy@example.com,Viewer\n';
  const members = ['members', 'import', '-', '--project', 'acme', '--json'];
  const contacts = ['contacts', 'import', '-', '--chatbot', '42', '--json'];
  for (const args of [members, contacts])
    for (const more of [['--dry-run'], []]) {
      const { code, stdout, stderr } = await at.run([...args, ...more], { input });
      expect([code, JSON.parse(stdout)]).toMatchObject([65, { created: 2, rejected: 1 }]);
      expect(stderr).toContain('line 4: is over the limit of the project');
    }
  expect(await at.json(['projects', 'show', 'acme'])).toEqual(limits(2, 1, 2));
  const creates: [string[], RegExp][] = [
    [['chatbots', 'create', '--project', 'acme', '--name', 'Desk'], /may have 1 chatbot.*projects update/],
    [['contacts', 'create', '--chatbot', '42', '--set', 'name=Cy'], /as many contacts.*--contacts N/],
  ];
  for (const [args, sentence] of creates)
    expect(await at.run(args)).toMatchObject({ code: 1, stderr: expect.stringMatching(sentence) });
  await at.json([...update.slice(0, 3), '--seats', 'unlimited', '--chatbots', 'unlimited', '--contacts', 'unlimited']);
  for (const [args] of creates) await at.json(args);
  expect(await at.json(members.slice(0, -1), { input })).toMatchObject({ created: 1, unchanged: 2 });
});
