import './presence.css'
import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { useFace } from './faces.ts'
import type { PresenceMember } from '#shared/kernel/live.ts'

const SHOWN = 3

/** Who is here: at most three avatars and a count; a ring = editing, faded = away. */
export function Presence({ members }: { members: readonly PresenceMember[] }): ReactNode {
  const t = useText('ui')
  if (!members.length) return null
  const words = members.map(
    (member) =>
      `${member.userName}: ${t(member.editing ? 'presence.editing' : `presence.${member.state}`)}`,
  )
  return (
    <span className="presence" role="img" aria-label={words.join(', ')} title={words.join('\n')}>
      {members.slice(0, SHOWN).map((member) => (
        <Avatar key={member.userId} member={member} />
      ))}
      {members.length > SHOWN && (
        <span className="avatar avatar-more">+{members.length - SHOWN}</span>
      )}
    </span>
  )
}

function Avatar({ member }: { member: PresenceMember }): ReactNode {
  const face = useFace(member)
  return (
    <span className={avatarClass(member)}>
      {initials(member.userName)}
      {face !== null && <img src={face} alt="" />}
    </span>
  )
}

/** Class names of an avatar, outside React (grid cells). */
export function avatarClass(member: Pick<PresenceMember, 'userId' | 'editing' | 'state'>): string {
  const editing = member.editing ? ' is-editing' : ''
  const away = member.state === 'away' ? ' is-away' : ''
  return `avatar avatar-${hue(member.userId)}${editing}${away}`
}

/** `Asha Rao` → AR; one word gives its first two letters, a Chinese or Japanese name its first. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean)
  if (words.length > 1)
    return ([...(words[0] as string)][0] ?? '') + ([...(words.at(-1) as string)][0] ?? '')
  const letters = [...(words[0] ?? '?')]
  return /[\u3040-\u30ff\u3400-\u9fff]/.test(letters[0] ?? '')
    ? (letters[0] as string)
    : letters.slice(0, 2).join('').toUpperCase()
}

/** One of six colours, always the same for a person. */
function hue(id: string): number {
  let sum = 0
  for (const letter of id) sum = (sum * 31 + letter.charCodeAt(0)) % 997
  return sum % 6
}
