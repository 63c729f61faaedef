/**
 * The token lives in the cookie Admin-Token (specification, section 9), shared by all tabs; only the Authorization header
 * ever carries it. The server renews it every few minutes by a response header, while older requests are still under way,
 * so an answer may replace the stored token only when it is newer and of the same sign-in.
 */
import { readCookie, writeCookie } from '#client/app/cookies.ts'

export const TOKEN_COOKIE = 'Admin-Token'
/** Until the server has said how long this session may be idle (trust.md G1). */
const IDLE_MINUTES = 30
const IDLE_KEY = 'token-idle'
const LINEAGE_KEY = 'token-lineage'

/** Which sign-in the stored token comes from and how often it was renewed. */
export interface Lineage {
  signIn: string
  rotation: number
}

export interface Renewal {
  token: string
  /** `X-Token-Rotation`; null when the server does not say. */
  rotation: number | null
  /** Token and sign-in the request was sent with. */
  sentToken: string
  sentSignIn: string
}

/** Whether a renewed token replaces the stored one: same sign-in, still signed in, and a higher rotation. */
export function acceptsRenewal(
  stored: { token: string | null } & Lineage,
  renewal: Renewal,
): boolean {
  if (!stored.token || renewal.sentSignIn !== stored.signIn || renewal.token === stored.token)
    return false
  return renewal.rotation === null
    ? renewal.sentToken === stored.token
    : renewal.rotation > stored.rotation
}

export function readToken(): string | null {
  return readCookie(TOKEN_COOKIE) || null
}

export function readLineage(): Lineage {
  try {
    const kept = JSON.parse(localStorage.getItem(LINEAGE_KEY) ?? '{}') as {
      signIn?: unknown
      rotation?: unknown
    }
    return {
      signIn: typeof kept.signIn === 'string' ? kept.signIn : '',
      rotation: typeof kept.rotation === 'number' ? kept.rotation : 0,
    }
  } catch {
    return { signIn: '', rotation: 0 }
  }
}

/** Stores the token of a fresh sign-in. */
export function storeToken(token: string, signIn: string): void {
  localStorage.removeItem(IDLE_KEY)
  keepToken(token)
  localStorage.setItem(LINEAGE_KEY, JSON.stringify({ signIn, rotation: 0 } satisfies Lineage))
}

/** The cookie ends when the session would: each answer to what a person asked starts its time anew (trust.md G5). */
function keepToken(token: string): void {
  const minutes = Number(localStorage.getItem(IDLE_KEY))
  writeCookie(TOKEN_COOKIE, token, (minutes > 0 ? minutes : IDLE_MINUTES) * 60)
}

/** How long the server lets this session be idle. */
export function setIdleMinutes(minutes: number): void {
  localStorage.setItem(IDLE_KEY, String(minutes))
  const token = readToken()
  if (token !== null) keepToken(token)
}

/** What a request was sent with, to tell a renewal of it from one of an earlier sign-in. */
export interface SentWith {
  token: string | null
  signIn: string
}

/** The renewed token of an answer; whatever else the answer says, the one before ends after its grace. */
export function renewalOf({ headers }: Response, { token, signIn }: SentWith): Renewal | null {
  const renewed = headers.get('Authorization')
  const rotation = headers.get('X-Token-Rotation')
  return renewed && token
    ? {
        token: renewed,
        rotation: rotation === null ? null : Number(rotation),
        sentToken: token,
        sentSignIn: signIn,
      }
    : null
}

/** Takes the renewed token of an answer, if it is newer; otherwise only prolongs the cookie. */
export function applyRenewal(renewal: Renewal | null): void {
  const token = readToken()
  if (!token) return
  const lineage = readLineage()
  const accepted = renewal && acceptsRenewal({ token, ...lineage }, renewal) ? renewal : null
  if (accepted)
    localStorage.setItem(
      LINEAGE_KEY,
      JSON.stringify({
        signIn: lineage.signIn,
        rotation: accepted.rotation ?? lineage.rotation + 1,
      } satisfies Lineage),
    )
  keepToken(accepted?.token ?? token)
  if (accepted) for (const hear of renewalListeners) hear()
}

const renewalListeners = new Set<() => void>()

/** Hears that the token was renewed, in this tab or another: what holds the old one must be told. */
export function onRenewal(hear: () => void): () => void {
  const elsewhere = (event: StorageEvent): void => {
    if (event.key === LINEAGE_KEY && event.newValue !== null) hear()
  }
  renewalListeners.add(hear)
  window.addEventListener('storage', elsewhere)
  return () => {
    renewalListeners.delete(hear)
    window.removeEventListener('storage', elsewhere)
  }
}

export function clearToken(): void {
  writeCookie(TOKEN_COOKIE, '', 0)
  localStorage.removeItem(LINEAGE_KEY)
  localStorage.removeItem(IDLE_KEY)
}
