# SPDX-License-Identifier: Apache-2.0
"""OPTICS and its clusters by xi are those of scikit-learn: 50 random point sets without ties, and 30 with many.

Without ties means that no two distances are equal; the reachabilities of points within one core distance are equal all the same. With ties:
whole coordinates, so that equal distances are equal to the last bit in both programs, and many points are equal. Both choose the lowest
index, and the first predecessor: orders and predecessors are compared as they are, in both kinds of sets. Reachabilities and core distances
may differ in the last bits, since scikit-learn rounds them to 15 decimals.
"""
import inspect
import math
import warnings

from fathom_e2e import *

optics_points = os.path.abspath(sys.argv[3])
EXTRACTIONS = [(xi, size) for xi in (0.01, 0.05, 0.15, 0.4) for size in (2, 5, 20)]


def with_sklearn():
    """Starts this script again under the first Python that has scikit-learn: installed, or unpacked by tools/setup."""
    unpacked = str(project / "deps" / "sklearn" / "usr" / "lib" / "python3" / "dist-packages")
    for python in (sys.executable, "/usr/bin/python3"):
        for path in ("", unpacked):
            environment = {**os.environ, "PYTHONPATH": path, "FATHOM_SKLEARN": "1"}
            if subprocess.run([python, "-c", "import sklearn.cluster"], env=environment, capture_output=True).returncode == 0:
                sys.exit(subprocess.run([python, "-B", *sys.argv], env=environment).returncode)
    skip("no Python here has scikit-learn")


if "FATHOM_SKLEARN" not in os.environ:
    with_sklearn()

import numpy
from sklearn.cluster import OPTICS, cluster_optics_xi
from sklearn.cluster import _optics as sklearn_optics

# Before 1.3 scikit-learn takes the predecessor, a point, for a place in the order (its pull request 26459). Given the place instead, it looks
# at the right point. The last point, which -1 then means, is never within a cluster before its end: as good as none.
takes_places = "ordering[predecessor_plot[e]]" in inspect.getsource(sklearn_optics._correct_predecessor)


def sklearn_clusters(plot, min_points, xi, size):
    predecessor = plot.predecessor_
    if takes_places:
        place = numpy.empty(len(plot.ordering_), dtype=int)
        place[plot.ordering_] = numpy.arange(len(plot.ordering_))
        predecessor = numpy.where(predecessor >= 0, place[predecessor], -1)
    labels, clusters = cluster_optics_xi(
        reachability=plot.reachability_, predecessor=predecessor, ordering=plot.ordering_, min_samples=min_points, min_cluster_size=size, xi=xi
    )
    return labels.tolist(), clusters.tolist()


def expect_near(found, wanted, what):
    for place, (a, b) in enumerate(zip(found, wanted, strict=True)):
        expect(a == b or abs(a - b) <= 1e-14 + 1e-12 * abs(b), f"{what} of point {place}: {a!r}, scikit-learn says {b!r}")


def compare(points, min_points, max_eps, what):
    """Gives how many clusters there were to compare."""
    text = f"{min_points} {max_eps!r} {len(points)}\n" + "".join(f"{x!r} {y!r}\n" for x, y in points)
    text += "".join(f"{xi!r} {size}\n" for xi, size in EXTRACTIONS)
    done = subprocess.run([optics_points], input=text, capture_output=True, text=True, timeout=120)
    expect_equal(done.returncode, 0, f"{what}: exit code of optics_points ({done.stderr})")
    found = json.loads(done.stdout)
    # "minkowski" is the Euclidean distance by its definition; "euclidean" would be by a faster formula that loses half of the digits.
    plot = OPTICS(min_samples=min_points, max_eps=max_eps, metric="minkowski", p=2, cluster_method="xi").fit(numpy.array(points))
    expect_near(found["core_distance"], plot.core_distances_.tolist(), f"{what}: core distance")
    expect_equal(found["order"], plot.ordering_.tolist(), f"{what}: order")
    expect_equal(found["predecessor"], plot.predecessor_.tolist(), f"{what}: predecessors")
    expect_near(found["reachability"], plot.reachability_.tolist(), f"{what}: reachability")
    expect_equal(len(found["extractions"]), len(EXTRACTIONS), f"{what}: extractions")
    for (xi, size), extraction in zip(EXTRACTIONS, found["extractions"]):
        labels, clusters = sklearn_clusters(plot, min_points, xi, size)
        expect_equal(extraction["clusters"], clusters, f"{what}: clusters with xi {xi}, at least {size}")
        expect_equal(extraction["label"], labels, f"{what}: labels with xi {xi}, at least {size}")
    return sum(len(extraction["clusters"]) for extraction in found["extractions"])


def scattered(chance):
    """Some clusters of very different widths, and noise."""
    centres = [(chance.uniform(0, 10), chance.uniform(0, 10), 10 ** chance.uniform(-3, 0)) for _ in range(chance.randint(1, 6))]
    points = []
    for _ in range(chance.randint(30, 400)):
        x, y, wide = chance.choice(centres)
        points.append((chance.gauss(x, wide), chance.gauss(y, wide)) if chance.random() < 0.7 else (chance.uniform(0, 10), chance.uniform(0, 10)))
    return points


def gridded(chance):
    side, centre = chance.randint(2, 25), chance.randint(0, 25)
    points = [(float(chance.randint(0, side)), float(chance.randint(0, side))) for _ in range(chance.randint(30, 300))]
    return points + [(float(centre), float(centre))] * chance.randint(0, 40)


warnings.filterwarnings("ignore")  # scikit-learn's: divisions by zero, all points infinite
chance = random.Random(20)
clusters = 0
for number in range(50):
    points = scattered(chance)
    expect_equal(len(set(points)), len(points), "points that are equal")
    clusters += compare(points, chance.randint(2, 12), chance.choice([math.inf, 3.0, chance.uniform(0.05, 1)]), f"set {number}")
expect(clusters > 1000, f"only {clusters} clusters in 50 sets: nothing to compare")
say(f"50 sets without ties: orders, reachabilities, predecessors and {clusters} clusters are scikit-learn's")
clusters = 0
for number in range(30):
    clusters += compare(gridded(chance), chance.randint(2, 12), chance.choice([math.inf, 1.0, 2.0, 2.5]), f"set {number} with ties")
expect(clusters > 500, f"only {clusters} clusters in 30 sets with ties: nothing to compare")
say(f"30 sets with ties and equal points: the same, and {clusters} clusters")
