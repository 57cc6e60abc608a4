import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import { Button } from '../../ui/button.tsx';
import type { Words } from './sentence.ts';
import { addressOf, dayAgo, kinds, type View } from './view.ts';

interface FiltersProps {
  view: View;
  words: Words;
  show: (next: Partial<View>) => void;
}

const none = { by: '', kind: '', chatbot: '', from: '', until: '' };

export function Filters({ view, words, show }: FiltersProps) {
  const days = { Today: dayAgo(0), Yesterday: dayAgo(1) };
  const isDay = Object.values(days).some((day) => view.from === day && view.until === day);
  const [areDatesOpen, openDates] = useState(!isDay && view.from + view.until !== '');
  const { tab } = view;
  const kindNames = Object.entries(kinds[tab]).map(([kind, [label]]) => [kind, label] as const);
  return (
    <>
      <nav class="activity-tabs" aria-label="Kinds of events">
        {Object.entries({ changes: 'Changes', security: 'Security' } as const).map(([one, label]) => (
          <a
            href={addressOf({ ...view, kind: '', tab: one as View['tab'] })}
            aria-current={one === tab ? 'page' : undefined}
          >
            {label}
          </a>
        ))}
      </nav>
      <div class="activity-filters">
        {Object.entries(days).map(([label, day]) => {
          const isOn = view.from === day && view.until === day;
          return (
            <Chip isOn={isOn} onClick={() => show(isOn ? { from: '', until: '' } : { from: day, until: day })}>
              {label}
            </Chip>
          );
        })}
        <Chip isOn={areDatesOpen} onClick={() => openDates(!areDatesOpen)}>
          Dates…
        </Chip>
        {areDatesOpen && (
          <>
            <Day label="From" value={view.from} onDay={(from) => show({ from })} />
            <Day label="Until" value={view.until} onDay={(until) => show({ until })} />
          </>
        )}
        <Select label="Person" all="Anyone" value={view.by} onValue={(by) => show({ by })}>
          <Options label="Members" options={[...words.members]} />
          <Options label="Keys" options={[...words.keys]} />
          <Options
            label="Others"
            options={[
              ['cli', 'Command line'],
              ['jobs', 'Roster'],
            ]}
          />
        </Select>
        <Select label="Kind" all="All kinds" value={view.kind} onValue={(kind) => show({ kind })}>
          <Options options={kindNames} />
        </Select>
        {tab === 'changes' && (
          <Select label="Chatbot" all="All chatbots" value={view.chatbot} onValue={(chatbot) => show({ chatbot })}>
            <Options options={[...words.chatbots]} />
          </Select>
        )}
        {addressOf({ ...view, ...none }) !== addressOf(view) && (
          <Button kind="quiet" icon="close" onClick={() => show(none)}>
            Clear
          </Button>
        )}
      </div>
    </>
  );
}

function Chip({ isOn, onClick, children }: { isOn: boolean; onClick: () => void; children: string }) {
  return (
    <button type="button" class="activity-chip" aria-pressed={isOn} onClick={onClick}>
      {children}
    </button>
  );
}

function Day({ label, value, onDay }: { label: string; value: string; onDay: (day: string) => void }) {
  return (
    <label class="activity-chip">
      {label}
      <input type="date" max="9998-12-31" value={value} onChange={(event) => onDay(event.currentTarget.value)} />
    </label>
  );
}

interface SelectProps {
  label: string;
  all: string;
  value: string;
  onValue: (value: string) => void;
  children: ComponentChildren;
}

function Select({ label, all, value, onValue, children }: SelectProps) {
  return (
    <select
      class={value === '' ? 'activity-chip' : 'activity-chip is-on'}
      aria-label={label}
      value={value}
      onChange={(event) => onValue(event.currentTarget.value)}
    >
      <option value="">{all}</option>
      {children}
    </select>
  );
}

function Options({ label, options }: { label?: string; options: readonly (readonly [value: string, name: string])[] }) {
  const all = options.map(([value, name]) => (
    <option key={value} value={value}>
      {name}
    </option>
  ));
  if (label === undefined) return <>{all}</>;
  return options.length > 0 && <optgroup label={label}>{all}</optgroup>;
}
