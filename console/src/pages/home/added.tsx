import { roster } from '../../api.ts';
import { useQuery } from '../../query.ts';
import { Card } from '../../ui/card.tsx';
import { NotLoaded } from '../../ui/failed.tsx';
import { number } from '../../usage.ts';
import { dayAgo } from '../activity/view.ts';
import { type Chip, searchFor } from '../contacts/chips.ts';
import { addressOf, noFilters } from '../contacts/view.ts';

const daysShown = 14;
const dayFormat = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short' });

const chipOf = (day: string): Chip => ({ field: 'created_at', from: day, until: day });

/** How many contacts each of the last days has brought, as bars that lead to them. */
export function Added() {
  const days = Array.from({ length: daysShown }, (_, index) => dayAgo(daysShown - 1 - index));
  const { data, error, reload } = useQuery(['contacts', 'days', days[0] ?? ''], (signal) =>
    Promise.all(
      days.map(async (day) => {
        const search = { ...searchFor([chipOf(day)]), limit: 1, count: true };
        const { count = { value: 0, exact: true } } = await roster.searchAllContacts(search, { signal });
        return { day, ...count };
      }),
    ),
  );
  const most = Math.max(1, ...(data ?? []).map(({ value }) => value));
  const sum = (data ?? []).reduce((all, { value }) => all + value, 0);
  const isExact = data?.every(({ exact }) => exact) === true;
  return (
    <Card
      title="Contacts added"
      about={data && `${number(sum)}${isExact ? '' : ' or more'} in the last ${daysShown} days`}
    >
      {!data && <NotLoaded error={error} retry={reload} />}
      {data && (
        <>
          <ol class="home-days">
            {data.map((one) => (
              <li key={one.day}>
                <Bar {...one} share={one.value / most} />
              </li>
            ))}
          </ol>
          <p class="spread soft small" aria-hidden="true">
            <span>{dayFormat.format(dateOf(days[0] ?? ''))}</span>
            <span>Today</span>
          </p>
        </>
      )}
    </Card>
  );
}

function Bar({ day, value, exact, share }: { day: string; value: number; exact: boolean; share: number }) {
  const text = `${dayFormat.format(dateOf(day))}: ${number(value)}${exact ? '' : ' or more'}`;
  const style = { height: `${Math.max(share * 100, value > 0 ? 4 : 0)}%` };
  if (value === 0) return <span class="visually-hidden">{text}</span>;
  return <a href={addressOf({ ...noFilters, chips: [chipOf(day)] })} title={text} aria-label={text} style={style} />;
}

function dateOf(day: string): Date {
  return new Date(`${day}T12:00:00`);
}
