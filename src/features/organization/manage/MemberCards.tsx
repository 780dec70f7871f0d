/* Members as cards, for phones: who, until when, what to do. */
import { Fragment } from 'react'
import type { Member } from '#contract/membership.ts'
import { ymd } from '#text/format.ts'
import { Tag } from '#ui/Tag.tsx'
import { PeriodLine } from '../parts/PeriodLine.tsx'
import { Person } from '../parts/Person.tsx'
import { usePeople } from '../parts/people.ts'
import { periodStateWords, ROLE_WORDS } from '../parts/words.ts'
import { GroupTags } from './GroupTags.tsx'
import css from './MemberCards.module.css'
import type { MemberActs } from './MemberMenu.tsx'
import { MemberMenu } from './MemberMenu.tsx'
import { SectionTitle } from './SectionTitle.tsx'
import { sections } from './sections.ts'

export function MemberCards({ members, ...acts }: { members: readonly Member[] } & MemberActs) {
  const { cover } = usePeople()
  return (
    <div className="card flush">
      {sections(members).map(({ title, members: own }) => (
        <Fragment key={title}>
          {title && <SectionTitle>{title}</SectionTitle>}
          <ul>
            {own.map((member) => {
              const period = { starts_on: member.starts_on, ends_on: member.expires_on }
              const state = periodStateWords(member.status, period)
              return (
                <li key={member.user_id} className={css.member}>
                  <div className="row gap8">
                    <div className="sp">
                      <Person
                        name={member.name}
                        avatar={member.avatar}
                        note={cover(member.email)}
                        dim={member.status === 'expired'}
                        onOpen={() => acts.onEdit(member)}
                      />
                    </div>
                    <MemberMenu member={member} {...acts} />
                  </div>
                  <div className={css.under}>
                    <Tag tone={state.tone} icon={state.icon}>
                      {state.text}
                    </Tag>
                    <span className="t13 ink2">{ROLE_WORDS[member.role]}</span>
                    <GroupTags member={member} />
                  </div>
                  {member.expires_on && (
                    <div className={css.under}>
                      <PeriodLine period={period} wide />
                      <span className="t13 ink3 num">到 {ymd(member.expires_on)}</span>
                    </div>
                  )}
                </li>
              )
            })}
          </ul>
        </Fragment>
      ))}
    </div>
  )
}
