import { IconButton } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Editor, Unsaved } from './field-row.tsx';
import { fields, type ReachField } from './fields.ts';
import type { Sheet } from './held.ts';

const icons = { phone: 'phone', email: 'mail', website: 'open' } as const;

/** A way to reach the person: a press on it calls, writes or opens. */
export function ReachRow({ name, ...sheet }: Sheet & { name: ReachField }) {
  const { label } = fields[name];
  const value = sheet.person[name] ?? '';
  const href = linkTo(name, value);
  if (sheet.edited === name) return <Editor {...sheet} name={name} />;
  return (
    <div class="reach" data-field={name}>
      <Icon name={icons[name]} />
      <span class="visually-hidden">{label}: </span>
      {href === undefined ? (
        <bdi>{value}</bdi>
      ) : (
        <a href={href} dir="auto" {...(name === 'website' && { target: '_blank', rel: 'noopener noreferrer' })}>
          {value.replace(/^https?:\/\//i, '')}
        </a>
      )}
      <Unsaved {...sheet} name={name} />
      <span class="detail-more">
        {sheet.mayWrite && (
          <IconButton icon="pencil" label={`Edit ${label}`} data-edit={name} onClick={() => sheet.edit(name)} />
        )}
        <CopyButton isIcon text={value} label={`Copy ${label}`} />
      </span>
    </div>
  );
}

function linkTo(name: ReachField, value: string): string | undefined {
  if (name === 'email') return `mailto:${encodeURIComponent(value).replaceAll('%40', '@')}`;
  if (name === 'phone') return /\d{3}/.test(value) ? `tel:${value.replaceAll(/[^\d+*#]/g, '')}` : undefined;
  const url = URL.parse(/^https?:\/\//i.test(value) ? value : `https://${value}`);
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined;
}
