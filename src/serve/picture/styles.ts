/** Needs the variables of {@link pictureColours}. */
export const pictureStyles = `.pic{display:block;max-width:100%;height:auto;font-family:system-ui,"Noto Sans",sans-serif}
.pic text{fill:var(--fg)}.pic .dim{fill:var(--dim)}.pic .name{font-weight:600}.pic .mono{font-family:ui-monospace,"Noto Sans Mono",monospace}
.pic .lane{stroke:var(--line);stroke-dasharray:2 4;fill:none}.pic .rule{stroke:var(--line)}
.pic .box{fill:var(--soft);stroke:var(--line)}.pic .me{fill:var(--me);stroke:var(--mark);stroke-width:2}.pic .fold{stroke-dasharray:4 3}
.pic .arrow{fill:none;stroke:var(--mid);stroke-width:1.5}.pic .tip{fill:var(--mid)}.pic .halo{fill:var(--bg)}.pic .rest{stroke:var(--line);stroke-dasharray:6 4}
.pic.plan .arrow{stroke-dasharray:9 5}.pic .out .arrow,.pic .in .arrow{stroke-width:2.5}.pic .out .arrow{stroke:var(--out)}.pic .out .tip,.pic .minus{fill:var(--out)}
.pic .in .arrow{stroke:var(--in)}.pic .in .tip,.pic .plus{fill:var(--in)}
.pic .right .arrow{stroke:var(--right);stroke-dasharray:6 4;stroke-width:2}.pic .right .tip{fill:var(--right)}
.pic .fail .arrow,.pic .cross{fill:none;stroke:var(--fail);stroke-dasharray:3 3}.pic .cross{stroke-width:2.5;stroke-dasharray:none}.pic .fail .tip{fill:var(--fail)}`;

/** Text contrast at least 5.3. */
export const pictureColours = {
  light:
    "--bg:#fff;--fg:#1b1f24;--dim:#59636e;--line:#c4ccd4;--soft:#f3f5f7;--me:#e6f0ff;--mark:#2458b8;--out:#a33c00;--in:#0b6b4f;--mid:#59636e;--right:#7a3fa8;--fail:#b3261e",
  dark: "--bg:#14171b;--fg:#e8ebee;--dim:#a3adb8;--line:#434c57;--soft:#1e2329;--me:#1a2e4d;--mark:#82b1ff;--out:#ffab70;--in:#57d9a3;--mid:#a3adb8;--right:#d3a6ff;--fail:#ff8a80",
} as const;
