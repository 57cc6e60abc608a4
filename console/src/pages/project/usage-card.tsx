import { roster } from '../../api.ts';
import { useQuery } from '../../query.ts';
import type { Usage } from '../../types.ts';
import { Card } from '../../ui/card.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { isLimited, number } from '../../usage.ts';

export function UsageCard() {
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
        <dl class="usage">
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
        {isLimited(usage) && <meter class="meter" aria-label={label} min={0} max={Math.max(max, 1)} value={used} />}
      </dd>
    </div>
  );
}
