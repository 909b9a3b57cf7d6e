// For harnesses outside this repository, which start the service here: the entry itself is plain JavaScript, as that starts sooner.
import "./main.js";
