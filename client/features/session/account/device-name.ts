/** Browser and operating system of a user agent; null when neither is known. */
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\/(\d+)/, 'Edge'],
  [/\bOPR\/(\d+)/, 'Opera'],
  [/\bSamsungBrowser\/(\d+)/, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\/(\d+)/, 'Firefox'],
  [/\b(?:Headless)?(?:Chrome|CriOS)\/(\d+)/, 'Chrome'],
  [/\bVersion\/(\d+)[\d.]* (?:Mobile\/\S+ )?Safari\//, 'Safari'],
]
const SYSTEMS: readonly [RegExp, string][] = [
  [/Windows/, 'Windows'],
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

export function deviceName(agent: string | null): string | null {
  if (!agent) return null
  const browser = BROWSERS.flatMap(([pattern, name]) => {
    const found = pattern.exec(agent)
    return found ? [`${name} ${found[1] ?? ''}`.trim()] : []
  })[0]
  const system = SYSTEMS.find(([pattern]) => pattern.test(agent))?.[1]
  return [browser, system].filter(Boolean).join(' · ') || null
}
