/* 聯絡方式: the tree that members see, an entry a row; each change is stored at once. */

import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '#contract/errors.ts'
import { CONTACT_LEVELS, CONTACT_LINKS } from '#contract/limits.ts'
import { type ContactNode, countContacts, type Organization } from '#contract/organization.ts'
import { organizationMutations } from '#data/nouns/organization.ts'
import { Ask } from '#screen/Ask.tsx'
import { failureSentence } from '#screen/failure.ts'
import { toast } from '#screen/toast.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { useOrganization } from '../use-place.ts'
import { ContactDialog } from './ContactDialog.tsx'
import { ContactRow } from './ContactRow.tsx'
import css from './ContactsCard.module.css'
import { add, countBeside, moved, put, type TreePlace, without } from './tree.ts'

/** What is asked about: an entry to write anew, one more under a place, or one to take away. */
type Asking = { nodes: readonly ContactNode[]; place: TreePlace } & (
  | { what: 'change' | 'remove'; node: ContactNode }
  | { what: 'add'; under: string | null }
)

const ADD = 'contact-add'
const MOVED_ON = '聯絡方式剛才有變動，請關掉再看一次'

const menuId = (place: TreePlace) => `contact-${place.join('-')}`
const keyOf = (place: TreePlace) => document.querySelector<HTMLElement>(`[popovertarget="${menuId(place)}"]`)

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
  // the question has given the focus back by now, to a key that goes
  useEffect(() => {
    if (asking || !left.current) return
    const key = keyOf(left.current) ?? document.getElementById(ADD)
    key?.focus()
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
      // the key that was pressed belongs to the neighbour now
      const there = [...place.slice(0, -1), (place.at(-1) ?? 0) + by]
      requestAnimationFrame(() => keyOf(there)?.focus())
    } catch (error) {
      toast({ title: '順序沒有變更', description: failureSentence(error), variant: 'destructive' })
    }
  }
  const close = () => setAsking(null)
  const rows = (level: readonly ContactNode[], above: TreePlace) => (
    <ul className={css.rows}>
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
      <div className={css.foot}>
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
          onSend={(entry) => store(put(nodes, asking.place, entry))}
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
