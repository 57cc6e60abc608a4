import { useState } from 'preact/hooks';

import type { Names } from '../../names.ts';
import { Button } from '../../ui/button.tsx';
import { addressOf, dayAgo, kinds, type View } from './view.ts';

interface FiltersProps {
  view: View;
  names: Names;
  show: (next: Partial<View>) => void;
}

const none = { by: '', kind: '', chatbot: '', from: '', until: '' };
const tabs = { changes: 'Changes', security: 'Security' } as const;
const others = [
  ['cli', 'Command line'],
  ['jobs', 'Roster'],
] as const;

export function Filters({ view, names, show }: FiltersProps) {
  const days = { Today: dayAgo(0), Yesterday: dayAgo(1) };
  const isOn = (day: string) => view.from === day && view.until === day;
  const [areDatesOpen, openDates] = useState(!Object.values(days).some(isOn) && view.from + view.until !== '');
  const kindNames = Object.entries(kinds[view.tab]).map(([kind, [label]]) => [kind, label] as const);
  const people = { Members: [...names.members], Keys: [...names.keys], Others: others };
  return (
    <>
      <nav class="activity-tabs" aria-label="Kinds of events">
        {(['changes', 'security'] as const).map((tab) => (
          <a href={addressOf({ ...view, kind: '', tab })} aria-current={tab === view.tab ? 'page' : undefined}>
            {tabs[tab]}
          </a>
        ))}
      </nav>
      <div class="chips" role="group" aria-label="Filters">
        {Object.entries(days).map(([label, day]) => (
          <Chip
            label={label}
            isOn={isOn(day)}
            onClick={() => show({ from: isOn(day) ? '' : day, until: isOn(day) ? '' : day })}
          />
        ))}
        <Chip label="Dates…" isOn={areDatesOpen} onClick={() => openDates(!areDatesOpen)} />
        {areDatesOpen && <Day label="From" value={view.from} onDay={(from) => show({ from })} />}
        {areDatesOpen && <Day label="Until" value={view.until} onDay={(until) => show({ until })} />}
        <Select label="Person" all="Anyone" value={view.by} groups={people} onValue={(by) => show({ by })} />
        <Select
          label="Kind"
          all="All kinds"
          value={view.kind}
          groups={{ Kinds: kindNames }}
          onValue={(kind) => show({ kind })}
        />
        {view.tab === 'changes' && (
          <Select
            label="Chatbot"
            all="All chatbots"
            value={view.chatbot}
            groups={{ Chatbots: [...names.chatbots] }}
            onValue={(chatbot) => show({ chatbot })}
          />
        )}
        {addressOf({ ...view, ...none }) !== addressOf(view) && (
          <Button kind="quiet" isSmall onClick={() => show(none)}>
            Clear
          </Button>
        )}
      </div>
    </>
  );
}

function Chip({ label, isOn, onClick }: { label: string; isOn: boolean; onClick: () => void }) {
  return (
    <button type="button" class={isOn ? 'chip is-on' : 'chip'} aria-pressed={isOn} onClick={onClick}>
      {label}
    </button>
  );
}

function Day({ label, value, onDay }: { label: string; value: string; onDay: (day: string) => void }) {
  return (
    <label class="chip">
      {label}
      <input type="date" max="9998-12-31" value={value} onChange={(event) => onDay(event.currentTarget.value)} />
    </label>
  );
}

interface SelectProps {
  label: string;
  all: string;
  value: string;
  groups: Record<string, readonly (readonly [value: string, name: string])[]>;
  onValue: (value: string) => void;
}

function Select({ label, all, value, groups, onValue }: SelectProps) {
  return (
    <select
      class={value === '' ? 'chip' : 'chip is-on'}
      aria-label={label}
      value={value}
      onChange={(event) => onValue(event.currentTarget.value)}
    >
      <option value="">{all}</option>
      {Object.entries(groups).map(([group, options]) => (
        <optgroup key={group} label={group}>
          {options.map(([one, name]) => (
            <option key={one} value={one}>
              {name}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  );
}
