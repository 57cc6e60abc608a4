import { roster } from '../../api.ts';
import { curlFor } from '../../curl.ts';
import { useQuery } from '../../query.ts';
import { useSession } from '../../session.tsx';
import type { Usage } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { isLimited, number } from '../../usage.ts';

export function Project() {
  const { can, project } = useSession();
  return (
    <>
      <PageHead
        title="Project"
        code={curlFor('updateProjectSettings', { name: project.name })}
        about={
          <span class="row tight">
            <span class="mono">{project.id}</span>
            <CopyButton text={project.id} label="Copy the project id" isIcon />
          </span>
        }
      />
      <div class="cards">
        {can('project:write') && <NameCard />}
        <UsageCard />
      </div>
    </>
  );
}

function NameCard() {
  const { project } = useSession();
  const form = useForm({ name: project.name }, async (input) => {
    await roster.updateProjectSettings(input);
    return 'Project renamed';
  });
  const { name } = form.input;
  return (
    <Card title="Name">
      <Form class="stack" perform={form.run}>
        <div class="narrow">
          <TextField label="Project name" maxLength={255} required {...form.field('name')} />
        </div>
        <ErrorNote error={form.errorBesides()} />
        <div class="row">
          <Button type="submit" disabled={name === project.name || name === ''} isBusy={form.isBusy}>
            Save
          </Button>
        </div>
      </Form>
    </Card>
  );
}

function UsageCard() {
  const { data, error } = useQuery(['usage', 'all'], async (signal) => {
    const [seats, chatbots, contacts] = await Promise.all([
      roster.retrieveUserSeats({ signal }),
      roster.retrieveChatbotUsage({ signal }),
      roster.retrieveContactUsage({ signal }),
    ]);
    return { seats, chatbots, contacts };
  });
  return (
    <Card title="Usage" about="Limits are set on the server.">
      <ErrorNote error={error} />
      {data && (
        <dl class="tiles">
          <Used label="Seats" usage={data.seats} />
          <Used label="Chatbots" usage={data.chatbots} />
          <Used label="Contacts" usage={data.contacts} />
        </dl>
      )}
    </Card>
  );
}

function Used({ label, usage }: { label: string; usage: Usage }) {
  const { used, max } = usage;
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <span class="number">
          {number(used)}
          <span class="soft">{isLimited(usage) ? ` of ${number(max)}` : ' · Unlimited'}</span>
        </span>
        {isLimited(usage) && <meter aria-label={label} min={0} max={Math.max(max, 1)} value={used} />}
      </dd>
    </div>
  );
}
