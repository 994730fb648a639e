//! The order in which a pen draws its lines: always on with the line that begins or ends nearest.

/// A place on paper in hundredths of a mm, not negative.
pub type Point = [i32; 2];

/// A line on paper, of at least two points.
pub type Polyline = Vec<Point>;

/// Where a pen waits: the paper's top left.
const HOME: Point = [0, 0];

/// Ends of lines for each cell of the grid, about.
const ENDS_PER_CELL: f64 = 2.0;

/// The way along a line, in hundredths of a mm.
pub fn length(line: &[Point]) -> f64 {
    line.windows(2).map(|pair| distance(pair[0], pair[1])).sum()
}

/// The way of a lifted pen that draws lines in order and comes home, in hundredths of a mm.
pub fn travel(lines: &[Polyline]) -> f64 {
    let mut pen = HOME;
    let mut sum = 0.0;
    for [begin, end] in lines.iter().map(|line| ends(line)) {
        sum += distance(pen, begin);
        pen = end;
    }
    sum + distance(pen, HOME)
}

/// Puts lines in the order in which a pen draws them, and turns those round that it meets at their ends.
pub fn order(lines: &mut Vec<Polyline>) {
    let mut grid = Grid::new(lines);
    let mut pen = HOME;
    let mut ordered = Vec::with_capacity(lines.len());
    while let Some(nearest) = grid.nearest(pen) {
        let mut line = std::mem::take(&mut lines[nearest / 2]);
        let [begin, end] = ends(&line);
        grid.remove(nearest / 2 * 2, begin);
        grid.remove(nearest / 2 * 2 + 1, end);
        if nearest % 2 == 1 {
            line.reverse();
        }
        pen = ends(&line)[1];
        ordered.push(line);
    }
    *lines = ordered;
}

fn ends(line: &[Point]) -> [Point; 2] {
    [line[0], line[line.len() - 1]]
}

fn distance(from: Point, to: Point) -> f64 {
    (distance_squared(from, to) as f64).sqrt()
}

fn distance_squared(from: Point, to: Point) -> i64 {
    let [x, y] = [0, 1].map(|axis| i64::from(to[axis]) - i64::from(from[axis]));
    x * x + y * y
}

/// The ends of lines that are not drawn yet, by their places. End `2 n` is the beginning of line `n`, and end `2 n + 1` its
/// end.
struct Grid {
    /// The side of a cell.
    side: i32,
    columns: usize,
    cells: Vec<Vec<(Point, usize)>>,
}

impl Grid {
    fn new(lines: &[Polyline]) -> Grid {
        let points = || lines.iter().flat_map(|line| ends(line));
        let farthest = |axis: usize| points().map(|end| end[axis]).max().unwrap_or(0);
        let extent = [farthest(0), farthest(1)].map(|coordinate| coordinate + 1);
        let area = extent.map(f64::from).into_iter().product::<f64>();
        let cells = (lines.len() * 2).max(1) as f64 / ENDS_PER_CELL;
        let side = ((area / cells).sqrt() as i32).max(1);
        let [columns, rows] = extent.map(|extent| (extent / side) as usize + 1);
        let mut grid = Grid {
            side,
            columns,
            cells: vec![Vec::new(); columns * rows],
        };
        for (number, end) in points().enumerate() {
            grid.cell(end).push((end, number));
        }
        grid
    }

    /// Row and column of the cell that a place lies in.
    fn place(&self, point: Point) -> [usize; 2] {
        point.map(|coordinate| (coordinate / self.side) as usize)
    }

    fn cell(&mut self, point: Point) -> &mut Vec<(Point, usize)> {
        let [column, row] = self.place(point);
        &mut self.cells[row * self.columns + column]
    }

    fn remove(&mut self, number: usize, end: Point) {
        self.cell(end).retain(|&(_, other)| other != number);
    }

    /// The end that is nearest to a place in the grid; of several, that of the lowest number.
    fn nearest(&self, point: Point) -> Option<usize> {
        let rows = self.cells.len() / self.columns;
        let mut best = None;
        for ring in 0..rows.max(self.columns) {
            let found = self
                .ring(self.place(point), ring)
                .map(|&(end, number)| (distance_squared(point, end), number));
            best = best.into_iter().chain(found).min();
            // What was not looked at is farther away than this.
            let reach = ring as i64 * i64::from(self.side);
            if let Some((distance, number)) = best
                && distance <= reach * reach
            {
                return Some(number);
            }
        }
        best.map(|(_, number)| number)
    }

    /// What lies so many cells away from a cell, counted along rows or columns, whichever is more.
    fn ring(
        &self,
        [column, row]: [usize; 2],
        ring: usize,
    ) -> impl Iterator<Item = &(Point, usize)> {
        let rows = self.cells.len() / self.columns;
        let lines = row.saturating_sub(ring)..(row + ring + 1).min(rows);
        lines.flat_map(move |line| {
            // The first and the last row of a ring are whole, and the others its two sides.
            let step = if line.abs_diff(row) == ring {
                1
            } else {
                2 * ring
            };
            let first = column as i64 - ring as i64;
            let across = (first..=(column + ring) as i64).step_by(step);
            let inside = across.filter(|x| (0..self.columns as i64).contains(x));
            inside.flat_map(move |x| &self.cells[line * self.columns + x as usize])
        })
    }
}

#[cfg(test)]
mod tests;
