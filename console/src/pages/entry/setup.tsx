import { useState } from 'preact/hooks';

import { call } from '../../api.ts';
import { useQuery } from '../../query.ts';
import type { Session } from '../../types.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { ErrorNote, Failed } from '../../ui/failed.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { Loading } from '../../ui/loading.tsx';
import { isRefused } from './by-link.tsx';
import { Entered } from './entered.tsx';
import { Entry } from './entry.tsx';
import { useLinkToken } from './link-token.ts';

export function Setup() {
  const [token] = useLinkToken();
  return token === '' ? <Unusable /> : <Steps key={token} token={token} />;
}

type Asked = 'project_name' | 'email';

function Steps({ token }: { token: string }) {
  const [session, setSession] = useState<Session>();
  const { data, error, reload } = useQuery(['sign-in', token], () =>
    call<{ asks: Asked[] }>('POST', '/setup/asks', { token }),
  );
  const form = useForm({ project_name: '', email: '' }, async (input) => {
    const given = data?.asks.map((name) => [name, input[name]]) ?? [];
    setSession(await call<Session>('POST', '/setup', { token, ...Object.fromEntries(given) }));
  });
  if (session) return <Entered session={session} />;
  if (isRefused(error) || isRefused(form.error)) return <Unusable />;
  if (error) return <Failed error={error} retry={reload} isWhole />;
  if (!data) return <Loading isWhole />;
  const asksProject = data.asks.includes('project_name');
  const asksEmail = data.asks.includes('email');
  return (
    <Entry title="Set up Roster">
      <p class="entry-lead">{leads(asksProject, asksEmail)}</p>
      <Form class="stack" perform={form.run}>
        {asksProject && (
          <TextField
            label="Project name"
            placeholder="Example Ltd"
            autocomplete="organization"
            {...form.field('project_name')}
            required
          />
        )}
        {asksEmail && (
          <TextField
            label="Your e-mail address"
            type="email"
            autocomplete="email"
            placeholder="you@example.com"
            hint="Members of the project see it. Roster sends no e-mail."
            {...form.field('email')}
            required
          />
        )}
        <ErrorNote error={form.errorBesides()} />
        <Button kind="primary" type="submit" isBusy={form.isBusy}>
          {asksEmail ? 'Create project' : 'Sign in'}
        </Button>
      </Form>
    </Entry>
  );
}

function leads(asksProject: boolean, asksEmail: boolean): string {
  if (asksProject) return 'Name your project. You become its Owner and are signed in on this device.';
  if (asksEmail) return 'This project has no Owner yet. You become its Owner and are signed in on this device.';
  return 'This link signs you in on this device as the Owner of the project.';
}

function Unusable() {
  return (
    <Entry title="This link is not valid">
      <p class="entry-lead">
        It was used already, has expired or is incomplete. If nobody has set up Roster yet, restart{' '}
        <code>roster serve</code> in a terminal for a new one. If you are a member, sign in, or ask for a sign-in link,
        which the server prints with:
      </p>
      <Code code="roster console link --member you@example.com" />
      <ButtonLink href="/sign-in">Sign in</ButtonLink>
    </Entry>
  );
}
