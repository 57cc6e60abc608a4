import { describe, expect, it } from 'vitest';

import { anInstallation } from '../support/process.ts';

describe('the limits of a project', () => {
  it('hold for imports of members and for chatbots, and are shown with what is used', async () => {
    await using at = await anInstallation();
    await at.json(['projects', 'create', 'Example Ltd', '--id', 'acme']);
    const limited = await at.json(['projects', 'update', 'acme', '--seats', '2', '--chatbots', '1']);
    expect(limited).toEqual({
      project_id: 'acme',
      name: 'Example Ltd',
      seats: { used: 0, max: 2 },
      chatbots: { used: 0, max: 1 },
      contacts: { used: 0, max: 2_147_483_647 },
    });
    const input = 'email,role\nada@example.com,Owner\nbo@example.com,Viewer\ncy@example.com,Viewer\n';
    const importing = ['members', 'import', '-', '--project', 'acme', '--json'];
    for (const more of [['--dry-run'], []]) {
      const { code, stdout, stderr } = await at.run([...importing, ...more], { input });
      expect([code, JSON.parse(stdout)]).toMatchObject([65, { created: 2, rejected: 1 }]);
      expect(stderr).toContain('line 4: is over the limit of the project');
    }
    await at.json(['projects', 'update', 'acme', '--seats', 'unlimited']);
    expect(await at.json(importing.slice(0, -1), { input })).toMatchObject({ created: 1, unchanged: 2 });

    const creating = ['chatbots', 'create', '--project', 'acme', '--name', 'Desk'];
    await at.json(creating);
    const refused = await at.run(creating);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/may have 1 chatbot.*projects update/)]);
    expect(await at.json(['projects', 'show', 'acme'])).toMatchObject({
      seats: { used: 3, max: 2_147_483_647 },
      chatbots: { used: 1, max: 1 },
    });
  });

  it('hold for contacts, made by a command or imported, and are counted', async () => {
    await using at = await anInstallation();
    await at.json(['projects', 'create', 'Example Ltd', '--id', 'acme']);
    await at.json(['chatbots', 'create', '--project', 'acme', '--name', 'Desk', '--id', '42']);
    expect(await at.json(['projects', 'update', 'acme', '--contacts', '2'])).toMatchObject({
      contacts: { used: 0, max: 2 },
    });
    const input = 'email,name\nada@example.com,Ada\nbo@example.com,Bo\ncy@example.com,Cy\n';
    const importing = ['contacts', 'import', '-', '--chatbot', '42', '--json'];
    for (const more of [['--dry-run'], []]) {
      const { code, stdout, stderr } = await at.run([...importing, ...more], { input });
      expect([code, JSON.parse(stdout)]).toMatchObject([65, { created: 2, rejected: 1 }]);
      expect(stderr).toContain('line 4: is over the limit of the project');
    }
    const refused = await at.run(['contacts', 'create', '--chatbot', '42', '--set', 'name=Cy']);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/as many contacts.*--contacts N/)]);
    const listing = ['chatbots', 'list', '--project', 'acme'];
    expect(await at.json([...listing, '--include', 'contact_count'])).toMatchObject([{ id: '42', contact_count: 2 }]);
    expect(Object.keys((await at.json<object[]>(listing))[0] ?? {})).not.toContain('contact_count');
    expect(await at.json(['projects', 'update', 'acme', '--contacts', 'unlimited'])).toMatchObject({
      contacts: { used: 2, max: 2_147_483_647 },
    });
    await at.json(['contacts', 'create', '--chatbot', '42', '--set', 'name=Cy']);
  });

  it('are no limits that make no sense, and a change of nothing is wrong usage', async () => {
    await using at = await anInstallation();
    await at.json(['projects', 'create', 'Example Ltd', '--id', 'acme']);
    for (const seats of ['-1', '1.5', 'many', '2147483647']) {
      const { code, stderr } = await at.run(['projects', 'update', 'acme', `--seats=${seats}`]);
      expect([code, stderr]).toEqual([2, expect.stringContaining('Allowed are whole numbers from 0')]);
    }
    expect((await at.run(['projects', 'update', 'acme'])).code).toBe(2);
    const renamed = await at.json(['projects', 'update', 'acme', '--name', ' Sample Ltd ']);
    expect(renamed).toMatchObject({ name: 'Sample Ltd' });
  });

  it('a chatbot is shown and changed by its id', async () => {
    await using at = await anInstallation();
    await at.json(['projects', 'create', 'Example Ltd', '--id', 'acme']);
    await at.json(['chatbots', 'create', '--project', 'acme', '--name', 'Desk', '--id', '42']);
    const shown = await at.json<object>(['chatbots', 'show', '42']);
    expect(Object.keys(shown)).toEqual(['id', 'name', 'version', 'visibility', 'created_at']);
    const changed = await at.json<object>([
      'chatbots',
      'update',
      '42',
      '--visibility',
      'public',
      '--name',
      'Front desk',
    ]);
    expect(changed).toEqual({ ...shown, name: 'Front desk', visibility: 'public' });
    const [listed] = await at.json<object[]>(['chatbots', 'list', '--project', 'acme']);
    expect(listed).toEqual({ ...changed, project_id: 'acme' });
    expect(await at.run(['chatbots', 'update', '42'])).toMatchObject({ code: 2, stdout: '' });
  });
});
