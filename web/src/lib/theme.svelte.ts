// Light, dark, or as the system says. It knows the switch's three states and remembers the choice where
// the browser lets it.

export type Theme = "auto" | "light" | "dark";
const ORDER: Theme[] = ["auto", "light", "dark"];
const KEY = "fencepost-theme";

function remembered(): Theme {
  try {
    return ORDER.find((theme) => theme === localStorage.getItem(KEY)) ?? "auto";
  } catch {
    return "auto"; // storage is blocked
  }
}

class ThemeSwitch {
  current = $state<Theme>(remembered());

  apply() {
    document.documentElement.dataset.theme = this.current;
  }

  next() {
    this.current = ORDER[(ORDER.indexOf(this.current) + 1) % ORDER.length] ?? "auto";
    this.apply();
    try {
      localStorage.setItem(KEY, this.current);
    } catch {
      // storage is blocked: the choice lasts as long as the page
    }
  }
}

export const theme = new ThemeSwitch();
