// Plain JavaScript: it runs before anything is installed.

/** What installing needs of the disk, in MB: the packages while npm unpacks them. */
const needed = { serve: 500, all: 1300 };

/**
 * What went wrong, by the codes of the system and of npm. The first that fits is told.
 * @type {readonly { code: string, when: RegExp, say: (place: { root: string, withTests: boolean }) => string }[]}
 */
const failures = [
  {
    code: "disk_full",
    when: /ENOSPC|EDQUOT/,
    say: ({ root, withTests }) =>
      `The disk is full: installing needs about ${needed[withTests ? "all" : "serve"]} MB in ${root}. Free some and start again.`,
  },
  {
    code: "no_permission",
    when: /EACCES|EPERM|EROFS/,
    say: ({ root }) =>
      `Installing may not write: it needs ${root}, and the folder of npm's cache (npm config get cache). Start as the user who owns both.`,
  },
  {
    code: "no_npm",
    when: /spawn(Sync)? npm\b.*ENOENT/,
    say: () => "npm is not on the PATH. It comes with Node.js; install it and start again.",
  },
  {
    code: "no_network",
    when: /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT|EIDLETIMEOUT|CERT|UNABLE_TO_VERIFY/,
    say: () =>
      "The package registry cannot be reached; the first start needs it once. Behind a proxy set HTTPS_PROXY, with certificates of your own NODE_EXTRA_CA_CERTS, for another registry: npm config set registry.",
  },
  {
    code: "registry_refused",
    when: /\bE(?:40[0-9]|42[0-9]|50[0-9])\b|EINTEGRITY|ETARGET|ENOVERSIONS/,
    say: () =>
      "The package registry answers, but does not give the packages of package-lock.json. Is it the right one (npm config get registry)?",
  },
];

/**
 * Why nothing could be installed, what to do, and a stable code, after what npm said.
 * @param {string} code of the system, or `node_too_old`
 * @param {string} output of npm
 * @param {{ root: string, withTests: boolean }} place
 */
export function explainFailure(code, output, place) {
  const { platform, arch, versions } = process;
  if (code === "node_too_old")
    return `Node.js ${versions.node} does not run TypeScript, and none is pinned for ${platform} ${arch}. Install Node.js 22.18 or newer and start again. (node_too_old)`;
  const known = failures.find(({ when }) => when.test(`${code} ${output}`));
  const said = output.trim();
  const cause = known?.say(place) ?? "npm ci failed; the lines above say why. node_modules is as it was.";
  return `${said === "" ? "" : `${said}\n`}${cause} (${known?.code ?? "install_failed"})`;
}
