import { useState } from 'preact/hooks';

import { call, codeOf, errorAbout } from '../../api.ts';
import type { Session } from '../../types.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Code } from '../../ui/curl.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { useAction } from '../../use-action.ts';
import { isRefused } from './by-link.tsx';
import { Entered } from './entered.tsx';
import { Entry } from './entry.tsx';
import { useLinkToken } from './link-token.ts';

export function Setup() {
  const [token] = useLinkToken();
  return token === '' ? <Unusable /> : <Steps key={token} token={token} />;
}

/** The details that Roster's first answer asks for. */
const askable = ['project_name', 'email'] as const;
type Asked = (typeof askable)[number];

/** Nothing is sent before somebody presses the button, for the reasons of `ByLink`. */
function Steps({ token }: { token: string }) {
  const [session, setSession] = useState<Session>();
  const [asked, setAsked] = useState<Asked[]>([]);
  const send = async (given: Partial<Record<Asked, string>>) => {
    try {
      setSession(await call<Session>('POST', '/setup', { token, ...given }));
    } catch (error) {
      if (codeOf(error) !== 'validation_failed') throw error;
      const missing = askable.filter((name) => errorAbout(error, (field) => field === name) !== undefined);
      setAsked((before) => askable.filter((one) => before.includes(one) || missing.includes(one)));
      // The first answer only asks.
      if (Object.keys(given).length > 0 || missing.length === 0) throw error;
    }
  };
  const first = useAction(() => send({}));

  if (session) return <Entered session={session} />;
  if (isRefused(first.error)) return <Unusable />;
  if (asked.length > 0) return <Questions asked={asked} send={send} />;
  return (
    <Entry title="Set up Roster">
      <p class="entry-lead">This link signs you in on this device, as the Owner of a project.</p>
      <ErrorNote error={first.error} />
      <Button kind="primary" isBusy={first.isBusy} onClick={() => void first.run()}>
        Go on
      </Button>
    </Entry>
  );
}

interface QuestionsProps {
  asked: readonly Asked[];
  send: (given: Partial<Record<Asked, string>>) => Promise<void>;
}

function Questions({ asked, send }: QuestionsProps) {
  const [email, setEmail] = useState('');
  const [project, setProject] = useState('');
  const asksProject = asked.includes('project_name');
  const asksEmail = asked.includes('email');
  const action = useAction(() => send({ ...(asksEmail && { email }), ...(asksProject && { project_name: project }) }));
  return (
    <Entry title="Set up Roster">
      <p class="entry-lead">
        {asksProject ? 'Name the project that you keep contacts for' : 'The project has no Owner yet'}. You become its
        Owner, and are signed in on this device.
      </p>
      <Form class="form" perform={action.run}>
        {asksProject && (
          <TextField
            label="Name of the project"
            placeholder="Example Ltd"
            autocomplete="organization"
            value={project}
            onValue={setProject}
            error={action.errorOf('project_name')}
            required
          />
        )}
        {asksEmail && (
          <TextField
            label="Your e-mail address"
            type="email"
            autocomplete="email"
            placeholder="you@example.com"
            hint="Others in the project see it. Roster sends no e-mail."
            value={email}
            onValue={setEmail}
            error={action.errorOf('email')}
            required
          />
        )}
        <ErrorNote error={action.errorBesides(...asked)} />
        <Button kind="primary" type="submit" isBusy={action.isBusy}>
          Set up
        </Button>
      </Form>
    </Entry>
  );
}

function Unusable() {
  return (
    <Entry title="This link cannot be used">
      <p class="entry-lead">
        This link was used, has expired or is not complete. If Roster has no Owner yet, restart{' '}
        <code>roster serve</code> on a terminal: it prints a new link. If you are a member, sign in, or ask whoever runs
        Roster for a link:
      </p>
      <Code code="roster console link --member you@example.com" />
      <ButtonLink href="/sign-in">Sign in</ButtonLink>
    </Entry>
  );
}
