const themes = ['light dark', 'light', 'dark'] as const

/** Switches between the theme of the system, light and dark. Answers the name of the new one. */
export function nextTheme(): string {
  const root = document.documentElement
  const index = themes.findIndex(theme => theme === root.style.colorScheme)
  const next = themes[(Math.max(0, index) + 1) % themes.length] ?? themes[0]
  root.style.colorScheme = next
  return next === 'light dark' ? 'system' : next
}
