import { useLocation } from 'preact-iso';
import { useEffect, useMemo, useState } from 'preact/hooks';

import { curlFor } from '../../curl.ts';
import { useNames } from '../../names.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { ErrorNote, NotLoaded } from '../../ui/failed.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { useAction } from '../../use-action.ts';
import { saveFile } from '../contacts/export.ts';
import { csvOf } from './csv.ts';
import { Days } from './days.tsx';
import { useActivity } from './feed.ts';
import { Filters } from './filters.tsx';
import { linesOf } from './lines.ts';
import { addressOf, dayAgo, filterOf, type View, viewIn } from './view.ts';

import './activity.css';

const linesAtOnce = 25;

export function Activity() {
  const { query, route } = useLocation();
  const view = viewIn(query);
  const [wanted, setWanted] = useState(linesAtOnce);
  const show = (next: Partial<View>) => {
    setWanted(linesAtOnce);
    route(addressOf({ ...view, ...next }), true);
  };
  const names = useNames();
  const { data, error, reload, older } = useActivity(view);
  const lines = useMemo(() => linesOf(data?.events ?? []), [data]);
  const hasMore = data !== undefined && data.next_cursor !== null;
  useEffect(() => {
    if (hasMore && lines.length < wanted) void older.run();
  }, [data, wanted]);
  const goOn = () => {
    setWanted(lines.length + linesAtOnce);
    void older.run();
  };
  const file = useAction(async () => {
    saveFile(await csvOf(view, names), `activity-${dayAgo(0)}.csv`);
  });
  return (
    <>
      <PageHead
        title="Activity"
        about="Who did what, and when. New events appear by themselves."
        code={curlFor('listEvents', { ...filterOf(view), order: 'desc' })}
      >
        <Button icon="download" isBusy={file.isBusy} onClick={() => void file.run()}>
          CSV
        </Button>
      </PageHead>
      <div class="stack">
        <Filters view={view} names={names} show={show} />
        <ErrorNote error={file.error ?? (data && error)} />
        {!data && <NotLoaded error={error} retry={reload} />}
        {data && lines.length === 0 && !hasMore && (
          <Empty icon="activity" title="Nothing here">
            <p>No event fits these filters.</p>
          </Empty>
        )}
        <Days lines={lines} names={names} isOpen={hasMore} onWho={(by) => show({ by })} />
        {hasMore && (
          <Button isBusy={older.isBusy} onClick={goOn}>
            Older
          </Button>
        )}
        <ErrorNote error={older.error} />
      </div>
    </>
  );
}
