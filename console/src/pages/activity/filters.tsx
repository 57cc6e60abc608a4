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
type Select = [
  name: 'by' | 'kind' | 'chatbot',
  label: string,
  all: string,
  groups: Record<string, readonly (readonly [value: string, text: string])[]>,
];

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
  const selects: Select[] = [
    ['by', 'Person', 'Anyone', { Members: [...names.members], Keys: [...names.keys], Others: others }],
    ['kind', 'Kind', 'All kinds', { Kinds: kindNames }],
  ];
  if (view.tab === 'changes') selects.push(['chatbot', 'Chatbot', 'All chatbots', { Chatbots: [...names.chatbots] }]);
  return (
    <>
      <nav class="activity-tabs" aria-label="Kinds of events">
        {(['changes', 'security'] as const).map((tab) => (
          <a href={addressOf({ ...view, kind: '', tab })} aria-current={tab === view.tab ? 'page' : undefined}>
            {tabs[tab]}
          </a>
        ))}
      </nav>
      <div class="row" role="group" aria-label="Filters">
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
        {selects.map(([name, label, all, groups]) => (
          <select
            key={name}
            class={view[name] === '' ? 'chip' : 'chip is-on'}
            aria-label={label}
            value={view[name]}
            onChange={(event) => show({ [name]: event.currentTarget.value })}
          >
            <option value="">{all}</option>
            {Object.entries(groups).map(([group, options]) => (
              <optgroup key={group} label={group}>
                {options.map(([value, text]) => (
                  <option key={value} value={value}>
                    {text}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        ))}
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
