import { call } from '../../api.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { messageOf } from '../../ui/failed.tsx';
import { useLoad } from '../../use-load.ts';

export function HealthCard() {
  const { data, error, isLoading, reload } = useLoad((signal) =>
    call<{ ready: boolean; version?: string }>('GET', '/health', {}, { signal }),
  );
  return (
    <Card
      title="Health"
      about="Whether Roster and its database answer."
      actions={
        <Button isSmall isBusy={isLoading} onClick={reload}>
          Ask again
        </Button>
      }
    >
      <p class="row row-tight" role="status">
        {error && (
          <>
            <Badge tone="warn">Not ready</Badge>
            <span>{messageOf(error)}</span>
          </>
        )}
        {!error && data && (
          <>
            <Badge tone="good">Ready</Badge>
            {data.version !== undefined && <span class="soft">Roster {data.version}</span>}
          </>
        )}
      </p>
    </Card>
  );
}
