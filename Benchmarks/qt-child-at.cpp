// QWidget::childAt on the trees of BenchHitTest; prints the nanoseconds of each round.
//
//   qt-child-at wide|deep WIDGETS ROUNDS
//
// For QT_QPA_PLATFORM=offscreen: nothing is shown, as nothing is drawn there.

#include <QApplication>
#include <QWidget>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

int main(int argc, char **argv) {
    QApplication application(argc, argv);
    if (argc != 4) return 2;
    const int levels = std::strcmp(argv[1], "deep") == 0 ? 1000 : 1;
    const int count = std::atoi(argv[2]), rounds = std::atoi(argv[3]);
    QWidget root;
    root.setGeometry(0, 0, 1000, 1000);
    QWidget *level = &root;
    for (int depth = 0; depth < levels; depth++) {
        QWidget *next = new QWidget(level);
        next->setGeometry(0, 0, 1000, 1000);
        for (int index = 1; index < count / levels; index++) {
            QWidget *other = new QWidget(level);
            other->setGeometry(index % 90 * 10, 500, 8, 8);
        }
        level = next;
    }
    for (int round = 0; round < rounds; round++) {
        const auto start = std::chrono::steady_clock::now();
        QWidget *hit = root.childAt(10, 10);
        const auto end = std::chrono::steady_clock::now();
        if (hit != level) {
            std::fprintf(stderr, "qt-child-at: another widget was hit\n");
            return 1;
        }
        std::printf("%lld\n", (long long)std::chrono::nanoseconds(end - start).count());
    }
    // The widgets' destructors take minutes, and are not what is measured.
    std::fflush(stdout);
    std::_Exit(0);
}
