/**
 * The token is stored in the cookie Admin-Token, shared by all tabs, and sent only in the
 * Authorization header. The server renews it every few minutes by a response header while older
 * requests are still under way, so an answer may replace the stored token only when it is newer and
 * of the same sign-in.
 */
import { readCookie, writeCookie } from '#client/base/cookies.ts'
import { TOKEN_COOKIE } from '#shared/kernel/preloads.ts'

/** Used until the server has sent the idle limit of this session. */
const IDLE_MINUTES = 30
const IDLE_KEY = 'token-idle'
const LINEAGE_KEY = 'token-lineage'

/** The sign-in of the stored token and how often it was renewed. */
export interface Lineage {
  signIn: string
  rotation: number
}

export interface Renewal {
  token: string
  /** `X-Token-Rotation`; null when the server does not send it. */
  rotation: number | null
  /** Token and sign-in the request was sent with. */
  sentToken: string
  sentSignIn: string
}

/**
 * Whether a renewed token replaces the stored one: same sign-in, still signed in, and a higher
 * rotation.
 */
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

/** Stores the token of a new sign-in. */
export function storeToken(token: string, signIn: string): void {
  localStorage.removeItem(IDLE_KEY)
  keepToken(token)
  localStorage.setItem(LINEAGE_KEY, JSON.stringify({ signIn, rotation: 0 } satisfies Lineage))
}

/** The cookie expires with the session: each answer to a user's call restarts its lifetime. */
function keepToken(token: string): void {
  const minutes = Number(localStorage.getItem(IDLE_KEY))
  writeCookie(TOKEN_COOKIE, token, (minutes > 0 ? minutes : IDLE_MINUTES) * 60)
}

/** Idle limit of this session, from the server. */
export function setIdleMinutes(minutes: number): void {
  localStorage.setItem(IDLE_KEY, String(minutes))
  const token = readToken()
  if (token !== null) keepToken(token)
}

/** What a request was sent with, to tell a renewal from an answer of an earlier sign-in. */
export interface SentWith {
  token: string | null
  signIn: string
}

/**
 * The renewed token of an answer, even when the answer is a refusal: the previous token expires
 * after a grace period.
 */
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

/** Stores the renewed token of an answer if it is newer; otherwise only extends the cookie. */
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
  if (accepted) for (const listener of renewalListeners) listener()
}

const renewalListeners = new Set<() => void>()

/** Subscribes to renewals in this tab or another, for parts that hold the old token. */
export function onRenewal(listener: () => void): () => void {
  const elsewhere = (event: StorageEvent): void => {
    if (event.key === LINEAGE_KEY && event.newValue !== null) listener()
  }
  renewalListeners.add(listener)
  window.addEventListener('storage', elsewhere)
  return () => {
    renewalListeners.delete(listener)
    window.removeEventListener('storage', elsewhere)
  }
}

export function clearToken(): void {
  writeCookie(TOKEN_COOKIE, '', 0)
  localStorage.removeItem(LINEAGE_KEY)
  localStorage.removeItem(IDLE_KEY)
}
