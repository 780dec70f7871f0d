/* 聯絡方式: the tree that members see, an entry a row; each change is stored at once. */

import { useMutation } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { ApiError } from '#contract/errors.ts'
import { fieldMessages } from '#contract/field-messages.ts'
import { CONTACT_LEVELS, CONTACT_LINKS } from '#contract/limits.ts'
import {
  CONTACT_TYPES,
  type ContactNode,
  type ContactType,
  contact_entry,
  countContacts,
  type Organization,
} from '#contract/organization.ts'
import { organizationMutations } from '#data/nouns/organization.ts'
import { Ask } from '#screen/Ask.tsx'
import { failureSentence, refusal } from '#screen/failure.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { CONTACT_WORDS } from '#text/contact.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Icon } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Menu } from '#ui/Menu.tsx'
import { Dialog } from '#ui/Modal.tsx'
import { CONTACT_ICONS } from '#ui/nouns/ContactTree.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { TextField } from '#ui/TextField.tsx'
import { useForm } from '#ui/use-form.ts'
import { add, countBeside, moved, replace, type TreePlace, without } from './contact-tree.ts'
import css from './OrganizationManagePage.module.css'
import { Fields, ListRow, TwoLines, usePeople } from './Parts.tsx'
import { useOrganization } from './TabList.tsx'

/** What is asked about: an entry to write anew, one more under a place, or one to take away. */
type Asking = { nodes: readonly ContactNode[]; place: TreePlace } & (
  | { what: 'change' | 'remove'; node: ContactNode }
  | { what: 'add'; under: string | null }
)

const ADD = 'contact-add'
const MOVED_ON = '聯絡方式剛才有變動，請關掉再看一次'

const menuId = (place: TreePlace) => `contact-${place.join('-')}`
const menuButtonAt = (place: TreePlace) =>
  document.querySelector<HTMLElement>(`[popovertarget="${menuId(place)}"]`)

/** Where the focus stays when an entry is taken away: at the one that comes in its place, else before it, else above it. */
function near(nodes: readonly ContactNode[], place: TreePlace): TreePlace {
  const above = place.slice(0, -1)
  const at = place.at(-1) ?? 0
  const isLast = at === countBeside(nodes, place) - 1
  if (!isLast) return place
  return at > 0 ? [...above, at - 1] : above
}

export function ContactsCard({ organization }: { organization: Organization }) {
  const { id, ctx } = useOrganization()
  const update = useMutation(organizationMutations.update(ctx))
  const [asking, setAsking] = useState<Asking | null>(null)
  const left = useRef<TreePlace>(null)
  // the question has given the focus back by now, to a button that goes
  useEffect(() => {
    if (asking || !left.current) return
    const button = menuButtonAt(left.current) ?? document.getElementById(ADD)
    button?.focus()
    left.current = null
  }, [asking])
  const nodes = organization.contact_links
  const full = countContacts(nodes) >= CONTACT_LINKS
  /** What is asked about stands by its place: in another tree, another entry may stand there. */
  const moved_on = asking !== null && JSON.stringify(asking.nodes) !== JSON.stringify(nodes)
  const store = async (contact_links: ContactNode[]) => {
    if (moved_on) throw new ApiError(4100, { msg: 'contacts changed meanwhile', text: MOVED_ON })
    return update.mutateAsync({ id, contact_links })
  }
  const move = async (place: TreePlace, by: -1 | 1) => {
    if (update.isPending) return
    try {
      await store(moved(nodes, place, by))
      // the button that was pressed belongs to the neighbour now
      const there = [...place.slice(0, -1), (place.at(-1) ?? 0) + by]
      requestAnimationFrame(() => menuButtonAt(there)?.focus())
    } catch (error) {
      toast({ title: '順序沒有變更', description: failureSentence(error), variant: 'destructive' })
    }
  }
  const close = () => setAsking(null)
  const rows = (level: readonly ContactNode[], above: TreePlace) => (
    <ul className={css.ContactsCardRows}>
      {level.map((node, at) => {
        const place = [...above, at]
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: an entry has no name of its own, and two may say the same
          <li key={at}>
            <ContactRow
              node={node}
              id={menuId(place)}
              onChange={() => setAsking({ what: 'change', nodes, place, node })}
              onAdd={
                place.length < CONTACT_LEVELS && !full
                  ? () => setAsking({ what: 'add', nodes, place, under: node.label })
                  : null
              }
              onUp={at > 0 ? () => void move(place, -1) : null}
              onDown={at < countBeside(nodes, place) - 1 ? () => void move(place, 1) : null}
              onRemove={() => setAsking({ what: 'remove', nodes, place, node })}
            />
            {node.children && node.children.length > 0 && rows(node.children, place)}
          </li>
        )
      })}
    </ul>
  )
  return (
    <Card title="聯絡方式" {...(nodes.length > 0 && { count: countContacts(nodes) })}>
      {nodes.length > 0 && rows(nodes, [])}
      <div className={css.ContactsCardFoot}>
        <p className="sp t13 ink3">
          {full ? `已經有 ${CONTACT_LINKS} 個，要再加先移除一個。` : '成員按一下就能聯絡你。'}
        </p>
        <Button
          id={ADD}
          size="s"
          icon="plus"
          disabled={full}
          onClick={() => setAsking({ what: 'add', nodes, place: [], under: null })}
        >
          新增
        </Button>
      </div>
      {asking?.what === 'add' && (
        <ContactDialog
          under={asking.under}
          heads={asking.place.length + 1 < CONTACT_LEVELS}
          onSend={(entry) => store(add(nodes, asking.place, entry))}
          onClose={close}
        />
      )}
      {asking?.what === 'change' && (
        <ContactDialog
          node={asking.node}
          heads={asking.place.length < CONTACT_LEVELS}
          onSend={(entry) => store(replace(nodes, asking.place, entry))}
          onClose={close}
        />
      )}
      {asking?.what === 'remove' && (
        <Ask
          title={`移除「${asking.node.label}」`}
          verb="移除"
          mutation={organizationMutations.update(ctx)}
          input={{ id, contact_links: without(nodes, asking.place) }}
          done={{ title: `已移除「${asking.node.label}」` }}
          safe="聯絡方式都還在，"
          disabled={moved_on}
          onClose={close}
          onDone={() => {
            left.current = near(asking.nodes, asking.place)
          }}
        >
          <p>
            {moved_on
              ? `${MOVED_ON}。`
              : countContacts(asking.node.children ?? []) > 0
                ? `它下面的 ${countContacts(asking.node.children ?? [])} 個也一起移除，成員立刻看不到。`
                : '成員立刻看不到。'}
          </p>
        </Ask>
      )}
    </Card>
  )
}

/* One entry of the tree, with what can be done with it. */

/** `id` of the menu; an action is null where it cannot be. */
export type ContactRowProps = {
  node: ContactNode
  id: string
  onChange: () => void
  onAdd: (() => void) | null
  onUp: (() => void) | null
  onDown: (() => void) | null
  onRemove: () => void
}

export function ContactRow({ node, id, onChange, onAdd, onUp, onDown, onRemove }: ContactRowProps) {
  const { cover } = usePeople()
  return (
    <ListRow as="div">
      {node.value && <Icon name={CONTACT_ICONS[node.type]} size={20} />}
      <TwoLines className="sp">
        <b className="el">{node.label}</b>
        {node.value && <small className="el num">{cover(node.value)}</small>}
      </TwoLines>
      <IconButton icon="more" label={`${node.label}：更多`} opensId={id} />
      <Menu
        id={id}
        label={`${node.label}：更多`}
        items={[
          { label: '修改', icon: 'edit', onPick: onChange },
          ...(onAdd ? [{ label: '在它下面新增', icon: 'plus' as const, onPick: onAdd }] : []),
          ...(onUp ? [{ label: '上移', icon: 'arrow-up' as const, onPick: onUp }] : []),
          ...(onDown ? [{ label: '下移', icon: 'arrow-down' as const, onPick: onDown }] : []),
          { label: '移除', icon: 'trash', danger: true, apart: true, onPick: onRemove },
        ]}
      />
    </ListRow>
  )
}

/* One entry: what it is called, what it is, where it leads. */

/** `node` absent: a new one, under the entry called `under` when it is not null. `onSend` stores it, or throws what is shown. */
export type ContactDialogProps = {
  node?: ContactNode
  under?: string | null
  /** Others may stand under it. */
  heads: boolean
  onSend: (entry: Omit<ContactNode, 'children'>) => Promise<unknown>
  onClose: () => void
}

type Name = 'label' | 'type' | 'value'
const OPTIONS = CONTACT_TYPES.map((value) => ({ value, label: CONTACT_WORDS[value].name }))
const KEYBOARD: Partial<Record<ContactType, 'email' | 'tel' | 'url'>> = {
  email: 'email',
  phone: 'tel',
  url: 'url',
}
const entryOf = ({ label, type, value }: Record<Name, string>) => ({
  label: label.trim(),
  type: type as ContactType,
  value: value.trim() || null,
})

export function ContactDialog({ node, under = null, heads, onSend, onClose }: ContactDialogProps) {
  const id = useId()
  const initial = { label: node?.label ?? '', type: node?.type ?? 'line', value: node?.value ?? '' }
  const { values, failure, busy, field, form, change } = useForm<Name>({
    initial,
    check: (typed) => fieldMessages(contact_entry, entryOf(typed)),
    send: async (typed) => {
      await onSend(entryOf(typed))
      toast({ title: node ? '聯絡方式已更新' : `已新增「${typed.label.trim()}」`, icon: 'check' })
      onClose()
    },
    refused: (error) => refusal(error, '內容都還在，', ['label', 'value']),
  })
  const type = values.type as ContactType
  return (
    <Dialog
      open
      onClose={onClose}
      sticky={(['label', 'type', 'value'] as const).some((name) => values[name] !== initial[name])}
      title={node ? '修改聯絡方式' : under ? `在「${under}」下面新增` : '新增聯絡方式'}
      actions={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button kind="filled" type="submit" form={id} busy={busy}>
            {node ? '儲存' : '新增'}
          </Button>
        </>
      }
    >
      <form id={id} {...form}>
        <Fields>
          <TextField label="名稱" maxLength={40} placeholder="例如：客服" {...field('label')} />
          <SelectField
            label="種類"
            value={type}
            options={OPTIONS}
            onChange={(next) => change({ type: next, value: values.value })}
          />
          <TextField
            label="內容（選填）"
            maxLength={300}
            placeholder={`例如：${CONTACT_WORDS[type].example}`}
            inputMode={KEYBOARD[type] ?? 'text'}
            {...(heads && { hint: '留空就只是標題，下面再新增幾個。' })}
            {...field('value')}
          />
          <Refused text={failure} />
        </Fields>
      </form>
    </Dialog>
  )
}
